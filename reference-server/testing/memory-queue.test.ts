import { describe } from "vitest";
import { MemoryQueue } from "./memory-queue.ts";
import { queueCases } from "./queue-cases.ts";

describe("the queue in memory", () => {
  queueCases(async () => {
    const queue = new MemoryQueue();
    let organizations = 0;
    return {
      queue,
      async organization(clock) {
        const id = `organization-${organizations++}`;
        queue.clocks.set(id, clock);
        return id;
      },
      clock: async (organizationId) => queue.clocks.get(organizationId) ?? { mode: "real" },
      add: async (delivery) => queue.add(delivery),
      change: async (endpoint) => void queue.endpoints.set(endpoint.id, endpoint),
      async force({ id }, answers) {
        for (const answer of answers) queue.force(id, answer);
      },
      attempts: async () => queue.attempts,
    };
  });
});
