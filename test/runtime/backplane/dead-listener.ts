/** What holds for the GET streams of a session when the node of the newest one dies, over any backplane. */
import { expect, onTestFinished, test, vi } from "vitest";
import { request } from "../http-server/messages.js";
import { HookedBackplane } from "./hooked-backplane.js";
import { eventsOf, type NewBackplane, nextMessage, Raw, startNode } from "./session-nodes.js";

/** Adds the tests. They stop the clock of intervals. @param newBackplane returns a backplane for one node; all share what is in them */
export function describeDeadListeners(newBackplane: NewBackplane): void {
  test.each([
    ["before", false],
    ["after", true],
  ])("an older GET stream gets what is sent %s the node of the newest one is known to be dead", async (_, isLate) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const shared = await newBackplane();
    // A stalled node is for others like a dead one, and shows that it sends nothing when it goes on.
    const stalling = new HookedBackplane(undefined, await newBackplane());
    const [a, b] = [startNode(await newBackplane(), "a"), startNode(stalling, "b")];
    const raw = await new Raw("2025-06-18").open(a);
    const older = eventsOf(await raw.send(a, "GET"));
    const newer = eventsOf(await raw.send(b, "GET"));
    a.server.sendToolListChanged();
    expect((await nextMessage(newer)).data).toContain("tools/list_changed");
    const claim = async (): Promise<string | undefined> =>
      (JSON.parse((await shared.get(`listener:${raw.id}`))?.text ?? "{}") as { node?: string }).node;
    const dead = await claim();
    const goOn = stall(stalling);
    const change = (): void => a.server.sendResourceListChanged();
    if (!isLate) change();
    // A living node keeps the messages.
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await claim()).toBe(dead);
    await shared.delete(`node:${dead}`);
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(async () => expect(await claim()).not.toBe(dead));
    if (isLate) change();
    expect((await nextMessage(older)).data).toContain("resources/list_changed");
    goOn();
    a.server.sendToolListChanged();
    expect((await nextMessage(older)).data).toContain("tools/list_changed");
    await b.handler.close(0);
    expect((await newer.next()).done).toBe(true);
  });

  test("a client that resumes the stream of a batch whose node has died gets its errors as one message", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const shared = await newBackplane();
    const stalling = new HookedBackplane(undefined, await newBackplane());
    const [a, b] = [startNode(stalling, "a"), startNode(await newBackplane(), "b")];
    const raw = await new Raw("2025-03-26").open(a);
    const batch = [7, 8, 9].map((id) =>
      request(id, "tools/call", { name: id === 9 ? "where" : "hold", arguments: {} }),
    );
    const events = eventsOf(await raw.send(a, "POST", batch));
    const { id } = await nextMessage(events);
    const goOn = stall(stalling);
    await shared.delete(`node:${a.server.server.node?.id}`);
    const resumed = eventsOf(await raw.send(b, "GET", undefined, { "last-event-id": id }));
    const message = nextMessage(resumed).then(async (one) => (one.data.includes("error") ? one : nextMessage(resumed)));
    await vi.advanceTimersByTimeAsync(5_000);
    const error = { code: -32603, message: "The process that handled the request has ended" };
    expect(JSON.parse((await message).data)).toEqual([7, 8, 9].map((one) => ({ jsonrpc: "2.0", id: one, error })));
    expect((await resumed.next()).done).toBe(true);
    goOn();
  });
}

/** Lets calls wait until the returned function is called. */
function stall(backplane: HookedBackplane): () => void {
  const { before } = backplane;
  let goOn = (): void => undefined;
  const stalled = new Promise<void>((resolve) => (goOn = resolve));
  backplane.before = () => stalled;
  return () => {
    backplane.before = before;
    goOn();
  };
}
