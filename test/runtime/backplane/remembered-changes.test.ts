/** What a node remembers of the changes that it has sent, or that wait for a client. */
import { expect, onTestFinished, test, vi } from "vitest";
import { type ChannelSubscriber, MemoryBackplane } from "../../../runtime/src/backplane.js";
import { request, turn } from "../http-server/messages.js";
import { HookedBackplane } from "./hooked-backplane.js";
import { eventsOf, firstId, nextMessage, Raw, startNodes, uri } from "./session-nodes.js";

/** A session at two nodes, with a stream at the second one. */
async function listening(backplane = new HookedBackplane()) {
  const [a, b] = await startNodes(() => backplane);
  const raw = await new Raw().open(a);
  expect((await raw.send(b, "POST", request(1, "resources/subscribe", { uri }))).status).toBe(200);
  const events = eventsOf(await raw.send(b, "GET"));
  await firstId(events);
  await turn(10);
  return { raw, a, b, events };
}

/** A backplane that knows the ids of all changes. */
class Recording extends MemoryBackplane {
  readonly changes = new Set<unknown>();

  override append(...given: Parameters<MemoryBackplane["append"]>): string {
    const id = super.append(...given);
    if (given[0].startsWith("changes:")) this.changes.add(id);
    return id;
  }
}

/** Watches the sets of the process that get ids of changes. Returns how many the largest of them contains. */
function watchSets(isId: (value: unknown) => boolean): () => number {
  const sets: ReadonlySet<unknown>[] = [];
  const { prototype } = Set;
  const add = Object.getOwnPropertyDescriptor(prototype, "add") ?? {};
  Object.defineProperty(prototype, "add", {
    ...add,
    value(this: Set<unknown>, value: unknown) {
      if (isId(value) && !sets.includes(this)) sets.push(this);
      return Reflect.apply(add.value as () => unknown, this, [value]) as unknown;
    },
  });
  onTestFinished(() => void Object.defineProperty(prototype, "add", add));
  return () => Math.max(0, ...sets.map(({ size }) => size));
}

test.each([
  ["that the client gets", uri, 2_500, 2_000],
  ["that it does not want", "file:///other", 250, 1],
])("%s: what is remembered of the changes does not grow with their number", async (_, changed, count, most) => {
  const backplane = new Recording();
  const { a, events } = await listening(new HookedBackplane(undefined, backplane));
  const largest = watchSets((value) => backplane.changes.has(value));
  for (let times = 1; times <= count; times++) {
    a.server.sendResourceUpdated({ uri: changed });
    if (changed === uri) expect((await nextMessage(events)).data).toContain("resources/updated");
    else await turn(1);
  }
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
  expect(backplane.changes.size).toBeGreaterThan(count);
  expect(largest()).toBe(most);
});

test("a change that was lost because reading failed does not hold back the next one", async () => {
  const memory = new MemoryBackplane();
  const backplane = new HookedBackplane(undefined, memory);
  const { raw, a, events } = await listening(backplane);
  const log = `messages:${raw.id}`;
  let fail: ((error: Error) => void) | undefined;
  backplane.before = (call, name) => {
    if (call === "read" && name === log) return new Promise<void>((_, reject) => (fail = reject));
  };
  a.server.sendToolListChanged();
  await vi.waitFor(() => expect(fail).toBeDefined());
  expect(memory.read(log, { limit: 2 }).entries).toHaveLength(1);
  memory.drop(log);
  backplane.before = () => undefined;
  fail?.(new Error("the connection broke"));
  await turn(10);
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
});

test("a change that was lost because no message arrived does not hold back the next one", async () => {
  const memory = new MemoryBackplane();
  const backplane = new HookedBackplane(undefined, memory);
  const subscribers: ChannelSubscriber[] = [];
  let isInterrupted = false;
  const subscribe = backplane.subscribe.bind(backplane);
  backplane.subscribe = (channel, subscriber) => {
    const onGap = (): void => subscriber.onGap();
    const onMessage = (text: string): void => {
      if (!isInterrupted || !channel.startsWith("messages:")) subscriber.onMessage(text);
    };
    subscribers.push(subscriber);
    return subscribe(channel, { onMessage, onGap });
  };
  const { raw, a, events } = await listening(backplane);
  const log = `messages:${raw.id}`;
  isInterrupted = true;
  a.server.sendToolListChanged();
  await vi.waitFor(() => expect(memory.read(log, { limit: 2 }).entries).toHaveLength(1));
  memory.drop(log);
  isInterrupted = false;
  for (const subscriber of subscribers) subscriber.onGap();
  await turn(10);
  a.server.sendToolListChanged();
  expect((await nextMessage(events)).data).toContain("tools/list_changed");
});

test("a change that a node gets to know late, after the client has got a newer one, is not taken for the newest", async () => {
  const memory = new MemoryBackplane();
  const [near, late] = [new HookedBackplane(undefined, memory), new HookedBackplane(undefined, memory)];
  const backplanes = [near, late];
  const [a, b] = await startNodes(() => backplanes.shift() ?? new HookedBackplane(undefined, memory));
  // Nodes publish and follow changes from their first session on.
  await new Raw().open(a, b);
  await turn(10);
  const waiting: (() => void)[] = [];
  late.before = (call, name) => {
    if (call === "read" && name.startsWith("changes:")) return new Promise((resolve) => waiting.push(resolve));
  };
  a.server.sendResourceListChanged();
  await turn(10);
  const raw = await new Raw().open(a);
  a.server.sendToolListChanged();
  await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0));
  // The node reads both changes while the stream takes the claim.
  late.before = async (call, name) => {
    if (call !== "set" || !name.startsWith("listener:")) return;
    late.before = () => undefined;
    for (const goOn of waiting) goOn();
    await turn(10);
  };
  const first = eventsOf(await raw.send(b, "GET"));
  expect((await nextMessage(first)).data).toContain("tools/list_changed");
  await first.return(undefined);
  await turn(10);
  memory.drop(`messages:${raw.id}`);
  const second = eventsOf(await raw.send(a, "GET"));
  await turn(10);
  a.server.sendResourceListChanged();
  expect((await nextMessage(second)).data).toContain("resources/list_changed");
});
