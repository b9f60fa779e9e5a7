import { errorOf, expect, same } from "../feature.js";
import type { MemoryProvider } from "./memory-provider.js";
import type { LogInFeature } from "./outcomes.js";

/** A connection of an official client. */
export interface Session {
  readonly revision: string | undefined;
  /** Calls a tool. @returns the text of its result */
  call(tool: string): Promise<string>;
  /** Passes on what the redirect of a log-in brought. */
  finish(answer: URLSearchParams): Promise<void>;
  close(): Promise<void>;
}

/** Opens a connection; the user logs in when the client needs it. */
export type Connect = (provider: MemoryProvider) => Promise<Session>;

/** What the package throws after it has opened a page. */
export type NeedsLogIn = (error: unknown) => boolean;

/** A log-in with the tools `read`, `write` and `erase`; each needs a scope, and the authorization server does not grant that of `erase`. */
export function officialFeatures(
  connect: Connect,
  needsLogIn: NeedsLogIn,
  {
    provider,
    revision,
    expire,
  }: { readonly provider: MemoryProvider; readonly revision: string; expire(): Promise<void> },
): readonly LogInFeature[] {
  let session: Session | undefined;
  const opened = (): Session => {
    if (!session) throw new Error("the log-in failed");
    return session;
  };
  /** Calls a tool; when that opens a page, the user answers it, and the program calls the tool again. */
  const call = async (on: Session, tool: string): Promise<string> => {
    try {
      return await on.call(tool);
    } catch (error) {
      if (!needsLogIn(error)) throw error;
      await on.finish(await provider.answer());
      return on.call(tool);
    }
  };
  return [
    [
      "log-in",
      async () => {
        session = await connect(provider);
        same("the revision", session.revision, revision);
        same("the result", await call(session, "read"), "read by ada");
        same("the events", provider.newEvents(), ["register", "page", "granted authorization_code"]);
      },
    ],
    [
      "refresh",
      async () => {
        await expire();
        same("the result", await call(opened(), "read"), "read by ada");
        same("the events", provider.newEvents(), ["granted refresh_token"]);
      },
    ],
    [
      "step-up",
      async () => {
        same("the result", await call(opened(), "write"), "write by ada");
        same("the events", provider.newEvents(), ["page", "granted authorization_code"]);
        same("the next result", await call(opened(), "read"), "read by ada");
        same("the next events", provider.newEvents(), []);
      },
    ],
    [
      "second connection",
      async () => {
        const second = await connect(provider);
        same("the result", await call(second, "write"), "write by ada");
        await second.close();
        same("the events", provider.newEvents(), []);
      },
    ],
    [
      "scope not granted",
      async () => {
        const error = await errorOf(call(opened(), "erase"));
        expect("the error is another one", /403|insufficient|unauthorized/i.test(String(error)), String(error));
        provider.newEvents();
        same("the next result", await call(opened(), "read"), "read by ada");
        await opened().close();
      },
    ],
  ];
}
