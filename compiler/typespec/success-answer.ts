import { isSecret, type ModelProperty, type Type } from "@typespec/compiler";
import type { HttpOperation, HttpOperationResponse } from "@typespec/http";
import { propertiesOf, sources } from "./model-facts.ts";
import type { SpecSource } from "./spec-source.ts";

/** What an operation answers when it succeeds. */
export interface SuccessAnswer {
  readonly allowed: number | "2XX";
  /** Names of the members of the body that hold the payload; none when the whole body is it. */
  readonly payload: readonly string[];
  /** JSON Pointers into the payload where secrets stand. */
  readonly secrets: readonly string[];
}

const none: SuccessAnswer = { allowed: "2XX", payload: [], secrets: [] };

/** Reads the one success answer of an operation; an operation that has none, or several, is refused. */
export function readSuccessAnswer(source: SpecSource, http: HttpOperation): SuccessAnswer {
  const type = http.operation;
  const successes = http.responses.filter(isSuccess);
  const [answer, ...others] = successes;
  const refuse = (message: string, fix: string): SuccessAnswer => {
    source.fault("success-answer", `${type.name} ${message}`, fix, type);
    return none;
  };
  if (answer === undefined) {
    return refuse("has no success answer.", "Return void, a model, or a model with a @statusCode from 200 to 299.");
  }
  if (others.length > 0) {
    return refuse(
      `has several success answers: ${successes.map(statusText).join(", ")}.`,
      "Declare one, whose @statusCode has @minValue(200) and @maxValue(299) if the status is open.",
    );
  }
  const [content, ...further] = answer.responses;
  const { body } = content ?? {};
  if (further.length > 0 || (body !== undefined && body.contentTypes.length > 1)) {
    return refuse(
      `answers ${statusText(answer)} in several forms.`,
      "Give each form an operation, or one model that holds them all.",
    );
  }
  if (body?.bodyKind === "multipart") {
    return refuse("answers in several parts.", "Answer with one body.");
  }
  const allowed = typeof answer.statusCodes === "number" ? answer.statusCodes : "2XX";
  return body === undefined ? { ...none, allowed } : { allowed, ...payloadOf(source, body.type) };
}

function payloadOf(source: SpecSource, body: Type): Pick<SuccessAnswer, "payload" | "secrets"> {
  const members = body.kind === "Model" ? [...body.properties.values()] : [];
  const parts = members.filter((member) => source.partOf(member) === "payload");
  const [only] = parts;
  const holder = only !== undefined && parts.length === 1 ? only.type : body;
  const secrets = [...propertiesOf(holder)].filter(([, p]) => isSecretValue(source, p)).map(([pointer]) => pointer);
  return { payload: parts.map(({ name }) => name), secrets };
}

/** A property, or the type of its values, has TypeSpec's own @secret. */
const isSecretValue = ({ program }: SpecSource, property: ModelProperty): boolean =>
  sources(property).some((p) => isSecret(program, p)) || isSecret(program, property.type);

function isSuccess({ statusCodes }: HttpOperationResponse): boolean {
  if (statusCodes === "*") return false;
  const [from, to] =
    typeof statusCodes === "number" ? [statusCodes, statusCodes] : [statusCodes.start, statusCodes.end];
  return from >= 200 && to <= 299;
}

function statusText({ statusCodes }: HttpOperationResponse): string {
  return typeof statusCodes === "object" ? `${statusCodes.start}–${statusCodes.end}` : String(statusCodes);
}
