import type { Check } from "../../context/check.ts";
import { brokenJson } from "./broken-json.ts";
import { clientHeaders } from "./client-headers.ts";
import { listEnvelope } from "./list-envelope.ts";
import { malformedRecordIds } from "./malformed-ids.ts";
import { mediaTypes } from "./media-types.ts";
import { oddBodies } from "./odd-bodies.ts";
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
  clientHeaders,
  ...mediaTypes,
  ...oddBodies,
  ...malformedRecordIds,
];
