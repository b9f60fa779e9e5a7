/** The built packages contain each class once, so that `instanceof` works across entries. */
import { Backplane, BackplaneError, MemoryBackplane } from "@mcpwright/runtime/backplane";
import { redisBackplane } from "@mcpwright/runtime/redis";
import { expect, test } from "vitest";

test("backplanes and their errors", async () => {
  const client = {
    call: () => Promise.reject(new Error("the test has no Redis")),
    subscribe: () => Promise.resolve(),
    unsubscribe: () => Promise.resolve(),
    duplicate: () => client,
    on: () => client,
    disconnect: () => undefined,
  };
  const backplane = redisBackplane(client);
  expect([backplane, new MemoryBackplane()].every((one) => one instanceof Backplane)).toBe(true);
  await expect(backplane.get("k")).rejects.toBeInstanceOf(BackplaneError);
});
