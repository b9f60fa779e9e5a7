import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { HttpSessions } from "../../../runtime/src/http-server/http-sessions.js";
import type { ManagedSession } from "../../../runtime/src/http-server/managed-session.js";
import type { ClientKey } from "../../../runtime/src/http-server/shared-limit.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function sessionsOf(max: number, clientShare: number) {
  const sessions = new HttpSessions({ idleMs: 100_000, max }, clientShare);
  const add = (sessionId: string, client?: ClientKey, state: Partial<ManagedSession> = {}): void => {
    const session: ManagedSession = {
      sessionId,
      client,
      lastUsedAt: 0,
      isBusy: false,
      isUsed: true,
      stayOpen: () => undefined,
      release: () => {
        sessions.delete(session);
        return Promise.resolve();
      },
      ...state,
    };
    sessions.add(session);
    if (session.isUsed) sessions.onUsed(session);
  };
  return { sessions, add };
}

test("the time until there is room is that of the session that has been idle longest", () => {
  const { sessions, add } = sessionsOf(3, 1);
  add("busy", undefined, { isBusy: true });
  vi.advanceTimersByTime(10_000);
  add("first");
  vi.advanceTimersByTime(20_000);
  add("second");
  expect(sessions.makeRoom(undefined)).toBe(80);
  expect(sessions.makeRoom(undefined)).toBe(80);
  vi.advanceTimersByTime(79_500);
  expect(sessions.makeRoom(undefined)).toBe(1);
  expect(sessions.get("first")).toBeDefined();
});

test("a session that has been idle for long enough gives way, even before its timer", () => {
  const { sessions, add } = sessionsOf(1, 1);
  add("idle");
  vi.setSystemTime(0);
  const now = performance.now();
  vi.spyOn(performance, "now").mockReturnValue(now + 100_000);
  expect(sessions.makeRoom(undefined)).toBeUndefined();
  expect(sessions.get("idle")).toBeUndefined();
  vi.restoreAllMocks();
});

test("with only busy sessions, or without any, the time is idleMs", () => {
  const { sessions, add } = sessionsOf(1, 1);
  add("busy", undefined, { isBusy: true, isUsed: false });
  expect(sessions.makeRoom(undefined)).toBe(100);
  expect(sessionsOf(0, 1).sessions.makeRoom(undefined)).toBe(100);
});

test("a client beyond its share waits for its own sessions only", () => {
  const { sessions, add } = sessionsOf(4, 0.25);
  add("unused", "b", { isUsed: false });
  vi.advanceTimersByTime(50_000);
  add("used", "a");
  expect(sessions.makeRoom("a")).toBe(100);
  expect(sessions.makeRoom("b")).toBeUndefined();
  expect(sessions.get("unused")).toBeUndefined();
});
