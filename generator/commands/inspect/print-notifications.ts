import { NOTIFICATIONS_MESSAGE } from "@mcpwright/protocol/names";
import type { Client } from "@mcpwright/runtime/client";
import { escapeLine } from "../../shared/command/escape-controls.js";

const kinds = ["tools", "resources", "prompts"] as const;

/** Several changes within this time are printed once. */
const burstMs = 500;

/** Prints log messages and list changes. */
export function printNotifications(client: Client, tell: (line: string) => void): void {
  client.setNotificationHandler(
    NOTIFICATIONS_MESSAGE,
    ({ level, logger, data }: { level: string; logger?: string; data: unknown }) => {
      const from = logger === undefined ? "" : ` ${logger}`;
      tell(`log ${level}${from}: ${escapeLine(typeof data === "string" ? data : JSON.stringify(data), 2_000)}`);
    },
  );
  const told = new Map<string, number>();
  for (const kind of kinds) {
    client.onChanged(kind, () => {
      const now = performance.now();
      const last = told.get(kind) ?? -Infinity;
      told.set(kind, now);
      if (now - last > burstMs) tell(`the list of ${kind} has changed`);
    });
  }
}
