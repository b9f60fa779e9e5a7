import { sleep } from "../wait.js";
import type { Attacker } from "./attacker.js";

export interface Attack {
  readonly name: string;
  run(attacker: Attacker): Promise<void>;
}

const times = <Result>(count: number, one: (at: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => one(at)));

/** As many empty objects as fit into `bytes`. */
const manyValues = (bytes: number): string => `[${"{},".repeat(bytes / 3 - 2)}{}]`;

const withArguments = (body: string, text: string): string => body.replace('"arguments":{}', `"arguments":${text}`);

/** Attacks of one client. Each is bounded in count and time, and leaves its connections to be closed. */
export const attacks: readonly Attack[] = [
  {
    name: "bodies of 4 MB that contain a million values",
    run: async (attacker) => {
      await times(20, () => {
        const { head, body } = attacker.call("echo");
        return attacker.post({ head, body: withArguments(body, `{"all":${manyValues(4_000_000)}}`) });
      });
    },
  },
  {
    name: "bodies that are nested 100,000 levels deep",
    run: async (attacker) => {
      await times(20, () => {
        const { head, body } = attacker.call("echo");
        const nested = `{"all":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
        return attacker.post({ head, body: withArguments(body, nested) });
      });
    },
  },
  {
    name: "sessions with capabilities of 3 MB",
    run: async (attacker) => {
      const experimental = Object.fromEntries(
        Array.from({ length: 20_000 }, (_, at) => [`member${at}`, { text: "x".repeat(100) }]),
      );
      for (let at = 0; at < 12; at++) await attacker.session({ experimental });
    },
  },
  {
    name: "3,000 sessions that are never used",
    run: async (attacker) => {
      for (let at = 0; at < 100; at++) await times(30, () => attacker.session());
    },
  },
  {
    name: "1,200 questions that are never answered",
    run: async (attacker) => {
      for (let at = 0; at < 60; at++) await times(20, () => attacker.post(attacker.call("ask")));
    },
  },
  {
    name: "subscriptions to 20,000 long URIs each",
    run: async (attacker) => {
      const resourceSubscriptions = Array.from({ length: 20_000 }, (_, at) => `file:///${at}/${"x".repeat(150)}`);
      const request = attacker.statelessRequest("subscriptions/listen", { notifications: { resourceSubscriptions } });
      await times(20, () => attacker.write(attacker.textOf(request)));
      await sleep(1_000);
    },
  },
  {
    name: "responses of 1 MB that the client does not read",
    run: async (attacker) => {
      await times(60, () => attacker.write(attacker.textOf(attacker.call("large")).repeat(5)));
      await sleep(1_500);
    },
  },
  {
    name: "streams that the client does not read",
    run: async (attacker) => {
      await times(20, () => attacker.write(attacker.textOf(attacker.call("flood"))));
      await sleep(2_000);
    },
  },
  {
    name: "bodies that do not end",
    run: async (attacker) => {
      const { head, body } = attacker.call("echo");
      const request = { head, body: withArguments(body, `{"all":"${"x".repeat(500_000)}"}`) };
      await times(200, () => attacker.write(attacker.textOf(request, 400_000)));
      await sleep(500);
    },
  },
  {
    name: "calls that never end, whose client leaves",
    run: async (attacker) => {
      await times(500, () => attacker.write(attacker.textOf(attacker.call("hang"))));
      await sleep(500);
    },
  },
  {
    name: "results that cannot be serialized, in a session",
    run: async (attacker) => {
      const session = await attacker.session();
      if (session === undefined) throw new Error("no session was opened");
      for (let at = 0; at < 20; at++) await times(20, () => attacker.post(attacker.callIn(session, "unprintable")));
    },
  },
  {
    name: "calls of a session whose client leaves, and never comes back for their events",
    run: async (attacker) => {
      const session = await attacker.session();
      if (session === undefined) throw new Error("no session was opened");
      await times(60, () => attacker.write(attacker.textOf(attacker.callIn(session, "flood"))));
      await sleep(2_000);
    },
  },
];
