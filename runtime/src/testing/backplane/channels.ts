import type { Backplane } from "../../backplane/backplane.js";
import { same, sleep, until } from "../suite-checks.js";
import { type BackplaneBehaviour, behaviour, bounds } from "./backplane-behaviour.js";

interface Heard {
  readonly texts: string[];
  readonly end: () => void;
}

async function hear(node: Backplane, channel: string): Promise<Heard> {
  const texts: string[] = [];
  const end = await node.subscribe(channel, {
    onMessage: (text) => void texts.push(text),
    onGap: () => void texts.push("gap"),
  });
  return { texts, end };
}

/** What every backplane does with channels. */
export const channels: readonly BackplaneBehaviour[] = [
  behaviour(
    "a message reaches every subscriber of its channel, also of the node that publishes it",
    async ({ a, b }) => {
      const [one, two, three, other] = [await hear(a, "c"), await hear(b, "c"), await hear(b, "c"), await hear(b, "C")];
      const message = "é\u0000\n😀";
      await a.publish("c", message);
      await b.publish("c", "");
      await until("the messages have arrived", () => [one, two, three].every(({ texts }) => texts.length >= 2));
      for (const { texts } of [one, two, three]) same("the messages", texts, [message, ""]);
      same("the messages of another channel", other.texts, []);
      for (const { end } of [one, two, three, other]) end();
    },
  ),

  behaviour("the messages of one node arrive in their order", async ({ a, b }) => {
    const { texts, end } = await hear(b, "c");
    const sent = Array.from({ length: 500 }, (_, at) => String(at));
    await Promise.all(sent.map(async (text) => a.publish("c", text)));
    await until("the messages have arrived", () => texts.length >= sent.length);
    same("the messages", texts, sent);
    end();
  }),

  behaviour("nothing arrives after the end of a subscription; others go on", async ({ a, b }) => {
    const [gone, stays] = [await hear(b, "c"), await hear(b, "c")];
    gone.end();
    gone.end();
    await a.publish("c", "1");
    await until("the message has arrived", () => stays.texts.length > 0);
    const again = await hear(b, "c");
    stays.end();
    await a.publish("c", "2");
    await until("the message has arrived", () => again.texts.length > 0);
    await sleep(20);
    same("the messages", [gone.texts, stays.texts, again.texts], [[], ["1"], ["2"]]);
    again.end();
  }),

  behaviour("appending publishes the id of the entry on the channel of the log", async ({ a, b }) => {
    const { texts, end } = await hear(b, "log");
    const ids = [await a.append("log", "1", bounds), await b.append("log", "2", bounds)];
    await until("the ids have arrived", () => texts.length >= 2);
    same("the ids", texts, ids);
    end();
  }),

  behaviour("values, logs and channels have separate names", async ({ a, b }) => {
    await a.set("x", "value", { ttlMs: 60_000 });
    await a.append("x", "entry", bounds);
    same("the value", (await b.get("x"))?.text, "value");
    same(
      "the log",
      (await b.read("x", { limit: 5 })).entries.map(({ text }) => text),
      ["entry"],
    );
    await b.delete("x");
    same("the log after the value was deleted", (await a.read("x", { limit: 5 })).entries.length, 1);
  }),

  behaviour("a subscriber that throws harms neither the others nor the publisher", async ({ a, b }) => {
    const { texts, end } = await hear(b, "c");
    const stop = await b.subscribe("c", {
      onMessage() {
        throw new Error("a subscriber of the test suite threw");
      },
      onGap: () => undefined,
    });
    const last = await hear(b, "c");
    await a.publish("c", "1");
    await a.publish("c", "2");
    await until("the messages have arrived", () => texts.length >= 2 && last.texts.length >= 2);
    same(
      "the messages",
      [texts, last.texts],
      [
        ["1", "2"],
        ["1", "2"],
      ],
    );
    stop();
    end();
    last.end();
  }),
];
