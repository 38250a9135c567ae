import { constants } from "../../../generated/constants.ts";
import { refuse } from "../../../generated/error-rows.ts";
import { bounds } from "../../../generated/limits.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { microsInCent } from "../../domain/wallet/wallet.ts";
import type { Contrarian } from "../edit.ts";
import { bookingLater } from "../later-entries.ts";
import { namedOrganizations, shapesOfNamed } from "../named-organizations.ts";
import { withMembers } from "../ports.ts";
import { working } from "../unit-changes.ts";
import {
  dataOf,
  inPlaceOf,
  isRefusal,
  onAnswer,
  onData,
  onRequest,
  parsed,
  refused,
  refusedWith,
  type Wire,
  type WireAnswer,
  withBody,
  withData,
} from "../wire.ts";
import { withRequestBody } from "../wire-requests.ts";

const brandAnswers = ["createBrand", "getBrand"] as const;
const campaignAnswers = ["createCampaign", "getCampaign"] as const;

const named: readonly string[] = Object.values(constants);

/** Shows statuses that the document does not name under another name. */
const naming = (operations: readonly OperationId[], member: string, name: string) =>
  operations.map((id) => ({
    wire: onData(id, (data) => (named.includes(String(data[member])) ? data : { ...data, [member]: name })),
  }));

/** What one brand costs is looked at before how many there may be. */
const moneyFirst = working(() => (tx) => ({
  brands: withMembers(tx.brands, {
    async count() {
      const { balance } = await tx.ledger.wallet();
      const isUncovered = balance < bounds.brandRegistrationCents * microsInCent;
      return isUncovered && tx.organization?.isReseller === false ? 0 : tx.brands.count();
    },
  }),
}));

const renamedBrand = { id: "brand.bid", identity_status: "brand.identity.state" };
const renamedCampaign = { id: "campaign.cid", status: "campaign.state" };

/** Milliseconds after which campaigns come to their end with their brand. */
const aWhile = 200;

/** Campaigns come to their end a while after the verification of their brand has failed. */
const endingAfterBrand: Wire = (serve) => {
  const brands = new Map<string, string>();
  const failedAt = new Map<string, number>();
  const isOver = (campaign: string): boolean => {
    const at = failedAt.get(brands.get(campaign) ?? "");
    return at !== undefined && Date.now() > at + aWhile;
  };
  return async (request) => {
    const { operation, parameters } = request;
    const answer = await serve(request);
    const body = Object(parsed(request.bytes));
    const data = dataOf(answer);
    if (operation === "createCampaign" && data !== null) brands.set(String(data.id), String(body.brand_id));
    if (operation === "verifyBrand" && data !== null) {
      const { brand_id: brand = "" } = parameters;
      if (body.verdict === "failed") failedAt.set(brand, Date.now());
      else failedAt.delete(brand);
    }
    if (operation === "getCampaign" && data !== null && isOver(String(data.id)))
      return withData(answer, { ...data, status: constants.expiredCampaign });
    return isRefusal(answer, "BrandNotVerified") && isOver(String(body.campaign_id))
      ? refusedWith(answer, refuse.CampaignNotActive("Its brand is not verified."))
      : answer;
  };
};

/** Answers the registration of a second brand, of the name of the first, with the first. */
const firstByName: Wire = (serve) => {
  const brands = new Map<string, WireAnswer>();
  return async (request) => {
    const answer = await serve(request);
    if (request.operation !== "createBrand") return answer;
    const place = `${request.headers.authorization} ${Object(parsed(request.bytes)).name}`;
    if (answer.status < 300) brands.set(place, answer);
    const first = isRefusal(answer, "ResellerRequired") ? brands.get(place) : undefined;
    return first === undefined ? answer : withBody({ ...answer, status: first.status }, parsed(first.bytes));
  };
};

/** Servers that answer the questions on brands and campaigns in other ways. */
export const registrationContrarians: readonly Contrarian[] = [
  {
    id: "Q113-money-first",
    does: "says of a second brand that the wallet does not cover it, where it does not",
    answers: "Q113",
    changes: [moneyFirst],
  },
  {
    id: "Q113-named-again",
    does: "shows who registers a brand of the name of the first that one, and charges nothing",
    answers: "Q113",
    changes: [{ wire: firstByName }],
    // It reads the name as the reference has it.
    excludes: ["Q190-shape"],
  },
  {
    id: "Q114-names",
    does: "has other names for the identity of a brand that is not verified",
    answers: "Q114",
    changes: naming(brandAnswers, "identity_status", "IN_REVIEW"),
  },
  {
    id: "Q114-lower-case",
    does: "writes them in small letters",
    answers: "Q114",
    changes: naming(brandAnswers, "identity_status", "unverified"),
  },
  {
    id: "Q115-ends-later",
    does: "has campaigns come to their end a while after the verification of their brand has failed",
    answers: "Q115",
    changes: [{ wire: endingAfterBrand }],
    excludes: ["Q190-shape", "Q191-shape", "Q184-shape", "Q211-shape"],
  },
  {
    id: "Q114-failed",
    does: "lets an organization register another brand when the first could not be verified",
    answers: "Q114",
    changes: [
      working(() => {
        const ids: string[] = [];
        return (tx) => ({
          brands: withMembers(tx.brands, {
            async count() {
              const brands = await Promise.all(ids.map((id) => tx.brands.find(id)));
              return brands.filter((brand) => brand !== null && brand.identityStatus !== "UNVERIFIED").length;
            },
            async insert(brand, verifiedAt) {
              await tx.brands.insert(brand, verifiedAt);
              ids.push(brand.id);
            },
          }),
        });
      }),
    ],
  },
  {
    id: "Q115-names",
    does: "has another name for a campaign that was rejected",
    answers: "Q115",
    changes: naming(campaignAnswers, "status", "DECLINED"),
  },
  {
    id: "Q130-personal",
    does: "has organizations be personal that are neither resellers nor made commercial",
    answers: "Q130",
    changes: [
      {
        wire: onRequest("createOrganization", (request) => {
          const wish = Object(parsed(request.bytes));
          return withRequestBody(request, { kind: wish.is_reseller === true ? "commercial" : "personal", ...wish });
        }),
      },
    ],
  },
  {
    id: "Q130-named",
    does: "has a name of each organization, which an update sets",
    answers: "Q130",
    excludes: ["Q130-brief"],
    shapes: shapesOfNamed,
    changes: namedOrganizations,
  },
  {
    id: "Q130-brief",
    does: "answers a change of the organization with nothing but that",
    answers: "Q130",
    excludes: ["Q194-conflict"],
    shapes: { updateOrganization: { request: { is_reseller: "settings.reseller" }, response: {} } },
    changes: [
      {
        wire: onRequest("updateOrganization", (request) => {
          const { settings, ...others } = Object(parsed(request.bytes));
          if (typeof settings !== "object" || settings === null) return request;
          const { reseller: is_reseller, ...inner } = settings;
          return withRequestBody(request, { ...others, ...inner, is_reseller });
        }),
      },
      { wire: onData("updateOrganization", () => ({ changed: true })) },
    ],
  },
  {
    id: "Q190-shape",
    does: "takes and shows brands under other names",
    answers: "Q190",
    shapes: {
      createBrand: { request: { name: "company.legal_name" }, response: renamedBrand },
      getBrand: { request: {}, response: renamedBrand },
    },
    changes: [
      {
        wire: onRequest("createBrand", (request) => {
          const { company, ...others } = Object(parsed(request.bytes));
          if (typeof company !== "object" || company === null) return request;
          const { legal_name: name } = company;
          return withRequestBody(request, { ...others, name });
        }),
      },
      ...brandAnswers.map((id) => ({
        wire: onAnswer(id, (answer) => {
          const data = dataOf(answer);
          if (data === null) return answer;
          return withData(answer, { brand: { bid: data.id, identity: { state: data.identity_status } } });
        }),
      })),
    ],
  },
  {
    id: "Q190-one-name",
    does: "calls a second brand of the same name a conflict",
    answers: "Q190",
    // It reads what the other one names differently.
    excludes: ["Q190-shape"],
    changes: [
      {
        wire: (serve) => {
          const registered = new Set<string>();
          return async (request) => {
            const { name } = Object(parsed(request.bytes));
            // What is no JSON to this one another one may read all the same.
            if (request.operation !== "createBrand" || name === undefined) return serve(request);
            const named = `${request.headers.authorization} ${name}`;
            if (registered.has(named)) {
              // Whoever may not register any is told so first.
              const answer = await serve(withRequestBody(request, {}));
              const isJudged = isRefusal(answer, "ValidationFailed") || isRefusal(answer, "InvalidInput");
              return isJudged ? refusedWith(answer, refuse.Conflict("There is a brand of that name.")) : answer;
            }
            const answer = await serve(request);
            if (dataOf(answer) !== null) registered.add(named);
            return answer;
          };
        },
      },
    ],
  },
  {
    id: "Q190-later",
    does: "tells the identity status only when it is asked for the brand",
    answers: "Q190",
    changes: [{ wire: onData("createBrand", ({ identity_status: _, ...data }) => data) }],
  },
  {
    id: "Q190-charged-later",
    does: "charges a brand a while after its answer",
    answers: "Q190",
    changes: [bookingLater(({ reference }) => reference.startsWith("brand"))],
  },
  {
    id: "Q191-shape",
    does: "takes and shows campaigns under other names",
    answers: "Q191",
    shapes: {
      createCampaign: { request: { brand_id: "brand.id", description: "use.text" }, response: renamedCampaign },
      getCampaign: { request: {}, response: renamedCampaign },
    },
    changes: [
      {
        wire: onRequest("createCampaign", (request) => {
          const { brand, use, ...others } = Object(parsed(request.bytes));
          if (typeof brand !== "object" || brand === null) return request;
          return withRequestBody(request, { ...others, brand_id: brand.id, description: Object(use).text });
        }),
      },
      ...campaignAnswers.map((id) => ({
        wire: onAnswer(id, (answer) => {
          const data = dataOf(answer);
          return data === null ? answer : withData(answer, { campaign: { cid: data.id, state: data.status } });
        }),
      })),
    ],
  },
  {
    id: "Q191-one-campaign",
    does: "lets a brand have one campaign",
    answers: "Q191",
    // It reads what the other one names differently.
    excludes: ["Q191-shape"],
    changes: [
      {
        wire: (serve) => {
          const brands = new Set<unknown>();
          return async (request) => {
            const { brand_id: brand } = Object(parsed(request.bytes));
            if (request.operation !== "createCampaign" || brand === undefined) return serve(request);
            if (brands.has(brand)) return refused(refuse.Conflict("The brand has a campaign."));
            const answer = await serve(request);
            if (dataOf(answer) !== null) brands.add(brand);
            return answer;
          };
        },
      },
    ],
  },
  {
    id: "Q192-only-arranged",
    does: "verifies a brand when the sandbox has it verified, and never of itself",
    answers: "Q192",
    changes: [
      {
        file: "domain/registration/brand.ts",
        find: "createdAt + Number(choices.brandVerificationSeconds) * 1_000",
        replace: "createdAt + 1_000 * 365 * 86_400_000",
      },
    ],
  },
  {
    id: "Q193-invalid",
    does: "calls a brand that does not exist an invalid one",
    answers: "Q193",
    changes: [
      {
        wire: inPlaceOf(
          "createCampaign",
          "NotFound",
          refuse.ValidationFailed("There is no such brand.", { brand_id: "does not exist" }),
        ),
      },
    ],
  },
  {
    id: "Q193-not-verified",
    does: "calls a brand that does not exist one that is not verified",
    answers: "Q193",
    changes: [{ wire: inPlaceOf("createCampaign", "NotFound", refuse.BrandNotVerified("Nobody knows it.")) }],
  },
  {
    id: "Q194-conflict",
    does: "calls a change that is in effect already a conflict",
    answers: "Q194",
    changes: [
      {
        wire: (serve) => {
          const states = new Map<string, unknown>();
          return async (request) => {
            const answer = await serve(request);
            const data = dataOf(answer);
            if (request.operation !== "updateOrganization" || data === null) return answer;
            const isSame = states.get(String(data.id)) === data.is_reseller;
            states.set(String(data.id), data.is_reseller);
            return isSame ? refused(refuse.Conflict("It is so already.")) : answer;
          };
        },
      },
    ],
  },
  {
    id: "Q194-has-brands",
    does: "says of an organization with a brand that turns off reseller mode which is off already that it has brands",
    answers: "Q194",
    changes: [
      {
        wire: (serve) => {
          const branded = new Set<unknown>();
          return async (request) => {
            const answer = await serve(request);
            const { authorization: key } = request.headers;
            const { is_reseller: isWanted } = Object(parsed(request.bytes));
            const isSuccess = dataOf(answer) !== null;
            if (request.operation === "createBrand" && isSuccess) branded.add(key);
            const isOff = request.operation === "updateOrganization" && isSuccess && isWanted === false;
            return isOff && branded.has(key) ? refused(refuse.ResellerHasBrands("There is a brand.")) : answer;
          };
        },
      },
    ],
    excludes: ["Q194-conflict"],
  },
];
