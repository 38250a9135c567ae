import { answerContrarians } from "./contrarians/answers.ts";
import { apiKeyContrarians } from "./contrarians/api-keys.ts";
import { envelopeContrarians } from "./contrarians/envelope.ts";
import { eventContrarians } from "./contrarians/events.ts";
import { feedContrarians } from "./contrarians/feed.ts";
import { lookupContrarians } from "./contrarians/lookups.ts";
import { replayContrarians } from "./contrarians/replays.ts";
import { transportContrarians } from "./contrarians/transport.ts";
import { webhookContrarians } from "./contrarians/webhooks.ts";
import type { Contrarian } from "./edit.ts";

/** Servers that obey the document and differ from the reference in what no option flips. */
export const contrarians: readonly Contrarian[] = [
  ...envelopeContrarians,
  ...apiKeyContrarians,
  ...lookupContrarians,
  ...feedContrarians,
  ...replayContrarians,
  ...eventContrarians,
  ...webhookContrarians,
  ...answerContrarians,
  ...transportContrarians,
];
