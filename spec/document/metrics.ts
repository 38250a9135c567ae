import { type DocumentedOperation, everywhere } from "./documented-operation.ts";

export const documentedMetricsOperations: readonly DocumentedOperation[] = [
  {
    route: "GET /v1/metrics/lookup",
    scope: null,
    answers: [
      ...everywhere,
      "422 INVALID_INPUT",
      "422 GRANULARITY_NOT_AVAILABLE",
      "422 WINDOW_TOO_LARGE",
      "422 METRIC_NOT_AVAILABLE",
    ],
    // How parameters are refused that are wrong by themselves is not shown.
    open: ["400 INVALID_INPUT", "400 VALIDATION_FAILED", "422 VALIDATION_FAILED"],
  },
];
