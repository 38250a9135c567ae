import type { SoakResult } from "./run-soak.ts";

/** Faults shown of each place. */
const shown = 20;

/** Whether anything was put to the test: without kills and promises nothing can be lost. */
export const showsSomething = ({ kills, ledger }: SoakResult): boolean => kills.length > 0 && ledger.deliveries > 0;

/** What a soak did and found, for people. */
export function soakReport(name: string, servers: number, result: SoakResult): string {
  const { kills, ledger, sends, received, outcomes, faults, seconds } = result;
  const receipts = [...received.values()].reduce((sum, each) => sum + each.receipts.length, 0);
  const promised = [...ledger.promises.values()].reduce((sum, count) => sum + count, 0);
  const verdict = faults.length > 0 ? "BROKEN" : showsSomething(result) ? "held" : "NOTHING SHOWN";
  const taken = sends.sends.filter(({ first }) => first !== null).length;
  const canceled = [...sends.cancellations.values()].filter((isCanceled) => isCanceled).length;
  const lines = [
    killsText(result, servers, seconds),
    `${count(promised, "request")} answered with success made ${count(ledger.deliveries, "delivery")} due (${listed(ledger.promises)}); ` +
      `${ledger.unanswered} got no answer`,
    `${count(receipts, "request")} came in for ${count(received.size, "delivery")}: ${receipts - received.size} more than one each, by retries and after kills`,
    `${count(taken, "message")} taken under keys, ${canceled} of them canceled; ${sends.recovered} by a server that was killed before it answered, and another try got the answer`,
    `${count(sumOf(outcomes), "attempt")} on record: ${listed(new Map(Object.entries(outcomes))) || "none"}`,
    ...(ledger.refusals.size === 0
      ? []
      : [`refused, which tells nothing of what this run is about: ${listed(ledger.refusals)}`]),
    ...faults.slice(0, shown).map((fault) => `✘ ${fault}`),
    ...(faults.length > shown ? [`✘ and ${faults.length - shown} more`] : []),
  ];
  return [`${name}: ${verdict}`, ...lines.map((line) => `  ${line}`)].join("\n").concat("\n");

  function killsText({ kills }: SoakResult, size: number, time: number): string {
    const one = kills.filter(({ victims }) => victims.length < size).length;
    const cut = kills.filter(({ requests }) => requests > 0).length;
    const sent = kills.filter(({ deliveries }) => deliveries > 0).length;
    const split = size > 1 ? ` (${one} of one server of ${size}, ${kills.length - one} of all)` : "";
    return (
      `${count(kills.length, "kill")}${split}, ${Math.round(time)} s in all; ` +
      `${cut} met requests under way, ${sent} met deliveries under way; at ${listed(momentsOf())}`
    );
  }

  function momentsOf(): ReadonlyMap<string, number> {
    return new Map([...Map.groupBy(kills, ({ moment }) => moment)].map(([moment, all]) => [moment, all.length]));
  }
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([name, number]) => `${name} ${number}`).join(", ");

const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((sum, number) => sum + number, 0);

const plurals: Readonly<Record<string, string>> = { delivery: "deliveries" };

const count = (number: number, noun: string): string =>
  `${number} ${number === 1 ? noun : (plurals[noun] ?? `${noun}s`)}`;
