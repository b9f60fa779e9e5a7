import type { RelayEvent } from "../relay-events.js";
import type { NoteRow } from "./page-data.js";

/** The row of an event that is not a message: its kind and its text. */
export function noteOfEvent(event: Exclude<RelayEvent, { readonly kind: "message" }>): Pick<NoteRow, "kind" | "text"> {
  switch (event.kind) {
    case "host-connected":
      return { kind: "connected", text: `${event.name} has connected` };
    case "host-disconnected":
      return { kind: "connected", text: "the host has disconnected" };
    case "server-started": {
      const why = event.reason === undefined ? "" : `: ${event.reason}`;
      return { kind: "started", text: `${event.start === 1 ? "started" : "restarted"} the server${why}` };
    }
    case "server-ready":
      return { kind: "ready", text: `the server is ready after ${Math.round(event.durationMs)} ms` };
    case "server-ended": {
      const how = event.signal ?? (event.exitCode === null ? "an unknown status" : `exit code ${event.exitCode}`);
      return event.isExpected
        ? { kind: "note", text: "stopped the server" }
        : { kind: "ended", text: `the server has ended with ${how}` };
    }
    case "server-failed": {
      const next = event.startsAtNextRequest ? "the next request" : "the next change of a file";
      return { kind: "failed", text: `${event.reason}\n${next} starts the server again` };
    }
    case "stderr":
      return { kind: "stderr", text: event.line };
    case "stdout-noise":
      return { kind: "stdout", text: event.line };
    case "note":
      return { kind: "note", text: event.text };
  }
}
