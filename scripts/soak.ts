import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { type Engine, engines, openPlace } from "./soak/places.ts";
import { plantedFaults } from "./soak/planted-faults.ts";
import { progressLine } from "./soak/progress-line.ts";
import { runSoak, type SoakOptions } from "./soak/run-soak.ts";
import { showsSomething, soakReport } from "./soak/soak-report.ts";

const most = { rounds: 100_000, seconds: 3_600, seed: 0xffffffff };

const help = `Kills servers (SIGKILL) again and again while events are created and delivered and messages are sent, and looks for what
is lost or done twice: each event whose request was answered with success must reach its receiver, what is sent again under
its idempotency key must be one message of its organization, charged once, and no record may be half-written.

  npm run soak -- [--engine sqlite|postgresql] [--rounds N] [--seconds S] [--seed N] [--plant FAULT]

  --engine    one engine, may be repeated (default: both). SQLite: one server on a file. PostgreSQL: two servers on one
              database, of which one or both are killed; DATABASE_URL may name the database server
  --rounds    kills on each engine, at most (default: 40)
  --seconds   time for them on each engine (default: 120, at most ${most.seconds}); what is due afterwards takes a few more
  --seed      repeats the choices of a run, though not its timing (default: any; the report tells it)
  --plant     a fault in the server, which the run should find: ${plantedFaults.map(({ id }) => id).join(", ")}

Exit codes:
  0   nothing was lost
  1   something was
  2   the run itself failed, was interrupted or showed nothing
`;

interface Flags extends Pick<SoakOptions, "rounds" | "seconds" | "seed" | "fault"> {
  readonly chosen: readonly Engine[];
}

const flags = read(process.argv.slice(2));
if (flags === "help") process.stdout.write(help);
else if (typeof flags === "string") {
  process.stderr.write(`error: ${flags}\n\n${help}`);
  process.exitCode = 2;
} else process.exitCode = await main(flags);

async function main({ chosen, ...asked }: Flags): Promise<0 | 1 | 2> {
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => interruption.abort(new Error("The run was interrupted.")));
  let code: 0 | 1 | 2 = 0;
  try {
    process.stdout.write(`seed ${asked.seed}${asked.fault === null ? "" : `, with the fault ${asked.fault}`}\n`);
    for (const engine of chosen) code = worse(code, await soakOn(engine, asked, interruption.signal));
    return code;
  } catch (problem) {
    process.stderr.write(`error: ${problem instanceof Error ? problem.message : String(problem)}\n`);
    return 2;
  }
}

async function soakOn(engine: Engine, asked: Omit<Flags, "chosen">, signal: AbortSignal): Promise<0 | 1 | 2> {
  const line = progressLine(process.stderr);
  line.say(`${engine}: starting`);
  const place = await openPlace(engine);
  try {
    const result = await runSoak(place, {
      ...{ ...asked, signal },
      progress: ({ kills, rounds, promised, waiting }) =>
        line.say(
          `${place.name}: kill ${kills} of ${rounds}, ${promised} deliveries due so far, ${waiting} on their way`,
        ),
    });
    line.end();
    process.stdout.write(soakReport(place.name, place.servers, result));
    if (result.faults.length > 0) return 1;
    return showsSomething(result) ? 0 : 2;
  } finally {
    line.end();
    await place.remove();
  }
}

/** A fault found counts more than a run that showed nothing. */
function worse(one: 0 | 1 | 2, other: 0 | 1 | 2): 0 | 1 | 2 {
  if (one === 1 || other === 1) return 1;
  return one === 2 ? 2 : other;
}

/** What the flags ask for, or what is wrong with them. */
function read(args: readonly string[]): Flags | "help" | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        engine: { type: "string", multiple: true, default: [] },
        rounds: { type: "string", default: "40" },
        seconds: { type: "string", default: "120" },
        seed: { type: "string", default: String(randomInt(most.seed)) },
        plant: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
    if (values.help) return "help";
    const unknown = values.engine.find((name) => !engines.some((engine) => engine === name));
    if (unknown !== undefined) return `--engine ${unknown}: There is no such engine. Choose ${engines.join(" or ")}.`;
    const { plant } = values;
    if (plant !== undefined && !plantedFaults.some(({ id }) => id === plant))
      return `--plant ${plant}: There is no such fault. Faults: ${plantedFaults.map(({ id }) => id).join(", ")}.`;
    const numbers = { rounds: values.rounds, seconds: values.seconds, seed: values.seed };
    for (const [name, text] of Object.entries(numbers)) {
      const [least, greatest] = [name === "seed" ? 0 : 1, name in most ? most[name as keyof typeof most] : 0];
      if (!/^\d{1,10}$/.test(text) || Number(text) < least || Number(text) > greatest)
        return `--${name} ${text}: It must be a whole number from ${least} to ${greatest}.`;
    }
    return {
      rounds: Number(values.rounds),
      seconds: Number(values.seconds),
      seed: Number(values.seed),
      fault: plant ?? null,
      chosen: engines.filter((engine) => values.engine.length === 0 || values.engine.includes(engine)),
    };
  } catch (problem) {
    return problem instanceof Error ? problem.message : String(problem);
  }
}
