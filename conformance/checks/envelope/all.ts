import type { Check } from "../../check/check.ts";
import { brokenJson } from "./broken-json.ts";
import { listEnvelope } from "./list-envelope.ts";
import { serverFailure } from "./server-failure.ts";
import { unknownPath } from "./unknown-path.ts";
import { validationForms } from "./validation-forms.ts";
import { wrongMethod } from "./wrong-method.ts";

/** Checks of what every answer keeps, whatever was asked. */
export const envelopeChecks: readonly Check[] = [
  unknownPath,
  wrongMethod,
  ...brokenJson,
  validationForms,
  listEnvelope,
  ...serverFailure,
];
