import type { Check } from "../../check/check.ts";
import { drawsOn } from "../../check/draws.ts";
import { forEachOperation } from "../../check/for-each-operation.ts";
import { takesBody } from "../authentication/flaws.ts";
import { soundCall } from "../authentication/sound-call.ts";
import { roomyBucket } from "../roomy-bucket.ts";

/** Ways to write the media type of JSON. */
const written = ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8"];

/** A sound call of every operation that takes a body, its media type written in other ways. */
export const mediaTypes: readonly Check[] = forEachOperation((operation) => {
  if (!takesBody(operation)) return null;
  const { id, method, path, bucket } = operation;
  return {
    id: "envelope.media-types",
    title: `${method} ${path} reads JSON however its media type is written`,
    rules: ["ENV-35"],
    kind: "scenario",
    needs: bucket === null ? ["key"] : ["limit-override"],
    effects: ["creates"],
    draws: drawsOn(bucket, 1 + written.length),
    async run(t) {
      const tenant = await t.tenant(bucket === null ? {} : { limits: { [bucket]: roomyBucket } });
      const main = await tenant.main();
      const { exchange, again } = await soundCall(t, operation, tenant);
      t.control(exchange, `${method} ${exchange.request.url}`);
      for (const type of written)
        t.accepted("ENV-35", await t.call(id, { ...(await again()), headers: { "content-type": type } }, main));
    },
  };
});
