import { formatProblem } from "./config/format-problem.js";
import { describeServer } from "./config/describe-server.js";
import { checkSource, configPath, type GatewaySourceOptions } from "./gateway-source.js";

/** The result of `--check`. */
export interface Check {
  readonly text: string;
  readonly isValid: boolean;
}

/**
 * Checks a configuration without starting anything. Commands of hosts are printed in full, because they need an approval.
 * @throws DiagnosticError config-not-readable, gateway-config-not-found
 */
export function printCheck(source: GatewaySourceOptions): Check {
  const path = configPath(source) ?? "";
  const { read, content } = checkSource(path, source);
  const { problems } = read;
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(problems.length - errors, "warning")].filter(
    (one) => one !== undefined,
  );
  const servers = content?.servers ?? [];
  const shown =
    source.from === undefined
      ? []
      : servers.map((server) => `${server.name}: ${describeServer(server).replaceAll("\n", "\n  ")}`);
  const summary =
    counts.length === 0 ? `${count(servers.length, "server") ?? "no servers"}, no problems` : counts.join(", ");
  return {
    text: [...problems.map(formatProblem), ...shown, `${path}: ${summary}`, ""].join("\n"),
    isValid: errors === 0,
  };
}

function count(number: number, what: string): string | undefined {
  return number === 0 ? undefined : `${number} ${what}${number === 1 ? "" : "s"}`;
}
