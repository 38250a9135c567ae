import type { RuleId } from "../../../generated/rules.ts";
import type { Mutant } from "../edit.ts";
import { mutant } from "./mutant.ts";

/** Keeps what the further parts of a message would have cost that one of its gates has refused. */
const keeping = (breaks: RuleId, row: "ConsentRequired" | "LineTypeBlocked" | "QuietHours"): Mutant =>
  mutant(
    breaks,
    "parts",
    `charges the second and further parts of a message that is refused with ${row}`,
    "routes/messages.ts",
    "if (send instanceof Refusal) return send;",
    `if (send instanceof Refusal) {
          const amount = wanted.cost - costOf("a", choices);
          if (send.row === "${row}" && amount > 0)
            await tx.ledger.append({ kind: "charge", amount, reference: \`message \${id}\`, at: now });
          return send;
        }`,
  );

/** Servers that a message of one part shows no fault of. */
export const longBodyMutants: readonly Mutant[] = [
  keeping("MSG-10", "ConsentRequired"),
  keeping("MSG-16", "LineTypeBlocked"),
  keeping("MSG-30", "QuietHours"),
];
