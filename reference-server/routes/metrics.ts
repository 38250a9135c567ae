import type { Choices } from "../../generated/choices.ts";
import { Refusal } from "../../generated/runtime/refusal.ts";
import type { MetricsHandlers } from "../../generated/server/metrics.ts";
import { timestamp } from "../domain/clock.ts";
import {
  allowedBuckets,
  askedMetrics,
  metricNotAvailable,
  metricsCursor,
  parametersChanged,
  parametersOf,
  refuseGranularity,
} from "../domain/metrics/asked-metrics.ts";
import { type Caller, callerTime } from "../domain/organizations/caller.ts";
import { finestGranularityOf } from "../domain/organizations/organization.ts";
import type { World } from "../domain/world.ts";
import { refuseFields } from "../http/refuse-fields.ts";
import type { Store } from "../store/store.ts";
import { pageCursors } from "./page-cursors.ts";

export interface MetricsParts {
  readonly store: Store;
  readonly world: World;
  readonly choices: Choices;
}

export function metricsHandlers({ store, world, choices }: MetricsParts): MetricsHandlers<Caller> {
  const cursors = pageCursors({ store, world, choices }, metricsCursor);
  return {
    async getLookupMetrics({ query }, caller) {
      const { id: organizationId, plan } = caller.organization;
      const asked = askedMetrics(query, callerTime(caller, world.now()));
      if (!("granularity" in asked)) return refuseFields(asked, choices);
      const scope = { organizationId, filters: { list: "lookup metrics" } };
      const position = await cursors.read(query.cursor, scope);
      if (position instanceof Refusal) return position;
      const parameters = parametersOf(query);
      if (position !== null && position.parameters !== parameters) return parametersChanged();
      if (!(await store.hasMetric(organizationId, "lookups"))) return metricNotAvailable();
      const tooFine = refuseGranularity(asked.granularity, finestGranularityOf(plan));
      if (tooFine !== null) return tooFine;
      const { from, before, index } = position ?? { ...asked, index: 0 };
      const buckets = allowedBuckets({ ...asked, from, before });
      if (buckets instanceof Refusal) return buckets;
      const end = Math.min(index + asked.limit, buckets.count);
      const windows = Array.from({ length: end - index }, (_, place) => ({
        from: buckets.startOf(index + place),
        before: buckets.startOf(index + place + 1),
      }));
      const sums = await store.metricSums(organizationId, "lookups", windows);
      const next = end < buckets.count ? { parameters, from, before, index: end } : null;
      return {
        data: windows.map((window, place) => ({
          starts_at: timestamp(window.from, choices.timestampPrecision),
          lookups: sums[place] ?? 0,
        })),
        meta: { total: buckets.count, limit: asked.limit, offset: index, ...(await cursors.write(next, scope)) },
      };
    },
  };
}
