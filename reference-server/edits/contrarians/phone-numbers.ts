import { refuse } from "../../../generated/error-rows.ts";
import type { Contrarian } from "../edit.ts";
import { storing, together } from "../port-changes.ts";
import { withMembers } from "../ports.ts";
import { type ShownNumber, showing, singles } from "../shown-numbers.ts";
import { keepingNumbers, working } from "../unit-changes.ts";
import { dataOf, onAnswer, onData, onRequest, parsed, refused, type Wire, withBody, withData } from "../wire.ts";
import { bodyOf, withRequestBody } from "../wire-requests.ts";

const routes = "routes/phone-numbers.ts";

/** Milliseconds for which something goes on that is over soon. */
const aWhile = 200;

/** Numbers under other names. */
const renamed = { id: "number.sid", phone_number: "number.e164", status: "number.life.state", label: "number.nick" };
const underOtherNames = ({ id, phone_number, status, label, ...others }: ShownNumber): ShownNumber => ({
  ...others,
  number: { sid: id, e164: phone_number, life: { state: status }, nick: label },
});

/** A search goes on to show for a while what it has shown, as one with an index of its own does. */
const cachedSearch: Wire = (serve) => {
  const cache = new Map<string, { readonly until: number; readonly data: ShownNumber }>();
  return async (request) => {
    if (request.operation !== "searchPhoneNumbers") return serve(request);
    const place = `${request.headers.authorization} ${request.bytes}`;
    const answer = await serve(request);
    const data = dataOf(answer);
    if (data === null) return answer;
    const known = cache.get(place);
    if (known !== undefined && known.until > Date.now()) return withData(answer, known.data);
    cache.set(place, { until: Date.now() + aWhile, data });
    return answer;
  };
};

/** Servers that answer the questions on searching, showing and releasing phone numbers in other ways. */
export const phoneNumberContrarians: readonly Contrarian[] = [
  {
    id: "Q183-shape",
    does: "takes and shows searches under other names, and more about each number",
    answers: "Q183",
    shapes: {
      searchPhoneNumbers: {
        request: { area_code: "filter.npa" },
        response: { phone_numbers: "available.*.e164" },
      },
    },
    changes: [
      {
        wire: onRequest("searchPhoneNumbers", (request) => {
          const body = bodyOf(request);
          if (typeof body !== "object" || body === null || !("filter" in body)) return request;
          return withRequestBody(request, { area_code: Object(body.filter).npa });
        }),
      },
      {
        wire: onData("searchPhoneNumbers", ({ phone_numbers: found }) => ({
          available: Array.isArray(found) ? found.map((e164) => ({ e164, capabilities: ["sms"] })) : found,
        })),
      },
    ],
  },
  {
    id: "Q183-list",
    does: "shows what a search finds as a list with its meta",
    answers: "Q183",
    shapes: { searchPhoneNumbers: { request: {}, response: { phone_numbers: "." } } },
    changes: [
      {
        wire: onAnswer("searchPhoneNumbers", (answer) => {
          const found = dataOf(answer)?.phone_numbers;
          if (!Array.isArray(found)) return answer;
          return withBody(answer, {
            success: true,
            data: found,
            meta: { total: found.length, limit: found.length, offset: 0 },
          });
        }),
      },
    ],
    excludes: ["Q183-shape"],
  },
  {
    id: "Q183-area",
    does: "refuses searches that name no area",
    answers: "Q183",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          if (request.operation !== "searchPhoneNumbers" || answer.status >= 300) return answer;
          const { area_code, filter } = Object(bodyOf(request));
          return area_code === undefined && filter === undefined
            ? refused(refuse.ValidationFailed("The request has invalid fields.", { area_code: "is missing" }))
            : answer;
        },
      },
    ],
  },
  {
    id: "Q183-same-first",
    does: "shows everybody who searches the same numbers first",
    answers: "Q183",
    changes: [
      {
        file: "domain/phone-numbers/number-stock.ts",
        find: 'createHash("sha256").update(organizationId).digest().readUInt32BE() % count',
        replace: "organizationId.length % 1",
      },
    ],
  },
  {
    id: "Q183-own",
    does: "has each organization find and order numbers that no other one does",
    answers: "Q183",
    changes: [
      {
        file: "domain/phone-numbers/number-stock.ts",
        find: 'has: (phoneNumber) => fictional.has(/^\\+1(\\d{3})55501\\d{2}$/.exec(phoneNumber)?.[1] ?? ""),',
        replace:
          "has: (phoneNumber) => [...simulatedStock(organizationId).numbers(phoneNumber.slice(2, 5))].includes(phoneNumber),",
      },
      {
        file: "domain/phone-numbers/number-stock.ts",
        find: "yield `+1${areas[Math.floor(place / numbersPerArea)]}55501${line}`;",
        replace: `const number = \`+1\${areas[Math.floor(place / numbersPerArea)]}55501\${line}\`;
      if (createHash("sha256").update(organizationId + number).digest().readUInt8() % 4 === 0) yield number;`,
      },
    ],
  },
  {
    id: "Q183-few",
    does: "shows four numbers at a time",
    answers: "Q183",
    changes: [{ file: routes, find: "const searchSize = 20;", replace: "const searchSize = 4;" }],
  },
  {
    id: "Q183-stale",
    does: "goes on to show numbers for a while that somebody has ordered meanwhile",
    answers: "Q183",
    changes: [{ wire: cachedSearch }],
    excludes: ["Q183-shape", "Q183-list", "Q183-few"],
  },
  {
    id: "Q184-shape",
    does: "shows numbers under other names",
    answers: "Q184",
    shapes: Object.fromEntries(singles.map((id) => [id, { request: {}, response: renamed }])),
    changes: showing(underOtherNames),
    excludes: [
      "Q107-pending",
      "Q107-names",
      "Q108-later",
      "Q108-bulk",
      "Q184-brief",
      "Q184-more",
      "Q185-brief",
      "Q185-null",
      "Q185-quarantine",
    ],
  },
  {
    id: "Q184-brief",
    does: "shows of a number its id alone",
    answers: "Q184",
    changes: showing(({ id }) => ({ id })),
    excludes: ["Q107-pending", "Q107-names", "Q108-later", "Q108-bulk", "Q184-more"],
  },
  {
    id: "Q184-more",
    does: "shows with a number when it was looked at",
    answers: "Q184",
    changes: showing((number) => ({ ...number, seen: { checked_at: new Date().toISOString(), nonce: Math.random() } })),
  },
  {
    id: "Q185-brief",
    does: "answers a release with nothing but that",
    answers: "Q185",
    changes: [{ wire: onData("releasePhoneNumber", () => ({ released: true })) }],
  },
  {
    id: "Q185-null",
    does: "answers a release with nothing",
    answers: "Q185",
    changes: [{ wire: onAnswer("releasePhoneNumber", (answer) => (dataOf(answer) ? withData(answer, null) : answer)) }],
  },
  {
    id: "Q185-late",
    does: "answers a release as one that is still to be done, and does it much later",
    answers: "Q185",
    changes: [
      keepingNumbers(() => ({ remove: async () => undefined })),
      {
        wire: onAnswer("releasePhoneNumber", (answer) => (answer.status < 300 ? { ...answer, status: 202 } : answer)),
      },
    ],
    excludes: ["Q185-quarantine"],
  },
  {
    id: "Q185-quarantine",
    does: "has a number that was released be nobody's for some time",
    answers: "Q185",
    changes: [
      {
        ports(ports) {
          const resting = new Set<string>();
          const withResting = async (numbers: readonly string[], held: Promise<ReadonlySet<string>>) =>
            new Set([...(await held), ...numbers.filter((one) => resting.has(one))]);
          return together(
            storing((store) => ({
              heldNumbers: (numbers) => withResting(numbers, store.heldNumbers(numbers)),
            })),
            working(() => ({ phoneNumbers }) => ({
              phoneNumbers: withMembers(phoneNumbers, {
                held: (numbers) => withResting(numbers, phoneNumbers.held(numbers)),
                async remove(id) {
                  const number = await phoneNumbers.find(id);
                  if (number !== null) resting.add(number.phoneNumber);
                  await phoneNumbers.remove(id);
                },
              }),
            })),
          ).ports(ports);
        },
      },
    ],
  },
  {
    id: "Q186-once",
    does: "counts a number once that an order names twice",
    answers: "Q186",
    changes: [
      {
        wire: onRequest("orderPhoneNumbers", (request) => {
          const { phone_numbers: numbers, ...others } = Object(parsed(request.bytes));
          if (!Array.isArray(numbers)) return request;
          return withRequestBody(request, { ...others, phone_numbers: [...new Set(numbers)] });
        }),
      },
    ],
  },
  {
    id: "Q186-not-had",
    does: "says of what is no number that it cannot be had",
    answers: "Q186",
    changes: [
      {
        wire: (serve) => async (request) => {
          const answer = await serve(request);
          const { phone_numbers: numbers } = Object(bodyOf(request));
          const isMeant = request.operation === "orderPhoneNumbers" && answer.status === 422 && Array.isArray(numbers);
          const none = isMeant
            ? numbers.filter((one) => typeof one === "string" && !/^\+[1-9]\d{1,14}$/.test(one))
            : [];
          if (none.length === 0) return answer;
          const data = { available_count: 0, unavailable: [] };
          return refused(refuse.InsufficientInventoryOnOrder("That cannot be had.", { data }));
        },
      },
    ],
  },
  {
    id: "Q186-few",
    does: "takes three numbers in an order at most",
    answers: "Q186",
    changes: [
      { file: routes, find: "const orderMax = Number(choices.numberOrderMax);", replace: "const orderMax = 3;" },
    ],
  },
  {
    id: "Q35-writing",
    does: "has a number returned to its carrier by whoever may write numbers and see the money",
    answers: "Q35",
    changes: [
      {
        file: "routes/phone-numbers.ts",
        find: "!holds(caller, scopeNamed.numbersRelease)",
        replace: "!holds(caller, scopeNamed.billingRead)",
      },
    ],
  },
];
