import { afterEach, expect, test, vi } from "vitest";
import { clientOf, R4 } from "../connection/connection-ends.js";

const faked = ["setTimeout", "clearTimeout", "performance"] as const;

afterEach(() => void vi.useRealTimers());

test("later requests time out after fake timers are removed", async () => {
  vi.useFakeTimers({ toFake: [...faked] });
  const { client } = await clientOf(R4);
  client.request("tools/list", undefined, { timeoutMs: 1 }).catch(() => undefined);
  vi.useRealTimers();
  const asked = client.request("tools/list", undefined, { timeoutMs: 20 });
  await expect(asked).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
});

test("fake timers end a request that was sent with them, despite earlier pending requests", async () => {
  const { client } = await clientOf(R4);
  client.request("tools/list", undefined, { timeoutMs: 60_000 }).catch(() => undefined);
  vi.useFakeTimers({ toFake: [...faked] });
  const asked = client.request("tools/list", undefined, { timeoutMs: 600_000 });
  const ended = expect(asked).rejects.toMatchObject({ code: "REQUEST_TIMEOUT" });
  await vi.advanceTimersByTimeAsync(600_000);
  await ended;
});

test("emits no warning about timers of the other clock", async () => {
  const warned = vi.spyOn(process, "emitWarning");
  const { client } = await clientOf(R4);
  for (let turn = 0; turn < 2; turn++) {
    client.request("tools/list", undefined).catch(() => undefined);
    vi.useFakeTimers({ toFake: [...faked] });
    client.request("tools/list", undefined).catch(() => undefined);
    vi.useRealTimers();
  }
  expect(warned).not.toHaveBeenCalled();
  warned.mockRestore();
});
