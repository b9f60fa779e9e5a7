import { aligned, countBy } from "../soak/summary.js";
import type { ChaosLog } from "./chaos-log.js";

/** What happened, as tables. */
export function summarize(log: ChaosLog): string {
  const { faults, failures, observed, tally, reports } = log;
  const fault = (kind: string): number => faults.filter((one) => one.kind === kind).length;
  const counts = [
    ["calls", tally.get("calls") ?? 0],
    ["sessions opened", tally.get("sessions") ?? 0],
    ["nodes killed", fault("node killed")],
    ["Redis restarted", fault("Redis restarted")],
    ["failovers", fault("failed over")],
    ["streams cut by clients", tally.get("streams cut") ?? 0],
    ["resumptions", tally.get("resumptions") ?? 0],
    ["gaps announced", observed.filter(({ rule }) => rule === "a gap was announced").length],
    ["sessions lost with the writes of a failover", announced(log, "a session was lost")],
    ["notifications lost with them", announced(log, "a notification is missing")],
    ["updates lost", announced(log, "an update is missing")],
    ["updates announced again after them", announced(log, "an update is doubled")],
    ["counters that went back with them", announced(log, "a counter went back")],
    ["violations", log.violations.length + log.unexplained.length + log.problems.length],
  ] as const;
  const failureRows = [...countBy(failures, ({ name = "not documented", what }) => `${name}: ${what}`)].sort();
  return [
    aligned(counts.map(([what, count]) => [what, String(count)])),
    aligned([["failure of calls", "times"], ...failureRows.map(([kind, count]) => [kind, String(count)])]),
    aligned([
      ["reported by nodes", "times"],
      ...[...reports].map(([kind, count]) => [kind.slice(0, 150), String(count)]),
    ]),
  ].join("\n\n");
}

function announced(log: ChaosLog, rule: string): number {
  return log.observed.filter((one) => one.rule === rule && log.isAnnounced(one)).length;
}
