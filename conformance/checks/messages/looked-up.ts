import { constants } from "../../../generated/constants.ts";
import { errorRows } from "../../../generated/error-rows.ts";
import type { RuleId } from "../../../generated/rules.ts";
import { lineType } from "../../arrangements/line-type.ts";
import type { CheckContext } from "../../context/context.ts";
import { rowNamed } from "../../exchange/admits.ts";
import { codeOf, type Exchange, errorOf, objectOf, summaryOf } from "../../exchange/exchange.ts";
import type { Credential, Tenant } from "../../provision/tenant.ts";
import { isNamedType, lineTypeOf, makeLookup } from "../../steps/lookup.ts";
import { organizationTime } from "../../steps/organization-time.ts";
import { isSameId } from "../../steps/settle.ts";

/** The one line type that is blocked, as the document names it. */
export const blockedType = constants.fixedLine;

/** What a refusal for the line says, each a text. */
const detailNames = errorRows.LineTypeBlocked.details;

/** A recipient who was looked up. */
export interface LookedUp {
  readonly number: string;
  readonly id: string;
  readonly lineType: string | null;
  readonly exchange: Exchange;
  /** When it was asked for and answered, in the organization's time: milliseconds since 1970. */
  readonly from: number;
  readonly until: number;
}

/** One line of each kind, as often as there are numbers, where the kit can say so; else they are what they are. */
export async function haveAllKinds(tenant: Tenant, numbers: readonly string[]): Promise<void> {
  if (!tenant.can(lineType)) return;
  const kinds = [constants.fixedLine, constants.mobileLine, constants.voipLine, constants.voipFixedLine] as const;
  for (const [index, phone_number] of numbers.entries())
    await tenant.arrange(lineType, { phone_number, line_type: kinds[index % kinds.length] ?? constants.fixedLine });
}

/** What helps where lookups show no line type that the document names; `otherwise` where they do. */
export const adviceOn = (types: readonly (string | null)[], otherwise: string): string =>
  types.some(isNamedType)
    ? otherwise
    : "have the target's lookups show a line type by a name of the document, or raise timing.poll_timeout, the time that they take for it, in the target file";

export async function lookUp(t: CheckContext, as: Credential, number: string, key?: string): Promise<LookedUp> {
  const from = await organizationTime(as.tenant);
  const lookup = await makeLookup(t, as, { number, ...(key === undefined ? {} : { key }) });
  const lineType = await lineTypeOf(t, as, lookup);
  return { ...lookup, number, lineType, from, until: await organizationTime(as.tenant) };
}

/** Decides whether a send is not blocked as one to a fixed line; blocks where it is refused for anything else. */
export function judgeUnblocked<Rule extends RuleId>(
  t: CheckContext<Rule>,
  rule: Rule,
  exchange: Exchange,
  what: string,
): void {
  const isUnblocked = t.verify(rule, codeOf(exchange) !== rowNamed("LineTypeBlocked").code, {
    expected: `a send to ${what} not to be blocked as one to a fixed line`,
    actual: summaryOf(exchange),
    exchanges: [exchange],
  });
  if (isUnblocked) t.control(exchange, `a send to ${what}`);
}

/** Decides what the refusal of a send to a fixed line tells of its latest lookup. */
export function judgeDetails(
  t: CheckContext<"MSG-14" | "MSG-15">,
  exchange: Exchange,
  { number, id, from, until }: LookedUp,
): void {
  const details = objectOf(errorOf(exchange)?.details) ?? {};
  const missing = detailNames.filter((name) => typeof details[name] !== "string");
  t.verify("MSG-14", missing.length === 0, {
    expected: `details with ${detailNames.join(", ")}`,
    actual: missing.length === 0 ? "those" : `no ${missing.join(", no ")}`,
    exchanges: [exchange],
  });
  t.equal("MSG-15", "details.phone_number", details.phone_number, number, exchange);
  t.equal("MSG-15", "details.line_type", details.line_type, blockedType, exchange);
  t.verify("MSG-15", isSameId(details.lookup_id, id), {
    expected: `the lookup ${id}`,
    actual: String(details.lookup_id),
    exchanges: [exchange],
  });
  const at = Date.parse(String(details.looked_up_at));
  const skew = t.timing.clockSkew + 1000;
  t.verify("MSG-15", at >= from - skew && at <= until + skew, {
    expected: `details.looked_up_at, a time between ${new Date(from).toISOString()} and ${new Date(until).toISOString()}`,
    actual: String(details.looked_up_at),
    exchanges: [exchange],
    // What a carrier said before may be as good as asking again.
    warnOnly: !Number.isNaN(at),
  });
}
