import { type Diagnostic, DiagnosticError } from "../../shared/diagnostics/diagnostic.js";
import { printAccess } from "./authorization/print-access.js";
import { formatProblem } from "./config/format-problem.js";
import { describeServer } from "./config/describe-server.js";
import type { ConfigProblem } from "./config/read-config.js";
import { type CheckedSource, checkSource, configPath, type GatewaySourceOptions } from "./gateway-source.js";
import { printLogIn } from "./log-in/print-log-in.js";

/** The result of `--check`. */
export interface Check {
  readonly text: string;
  readonly isValid: boolean;
}

/**
 * Checks a configuration without starting anything. Commands of hosts are printed in full, because they need an approval.
 * @param connects whether the issuers of clients' tokens are asked, too
 * @throws DiagnosticError config-not-readable, gateway-config-not-found
 */
export async function printCheck(source: GatewaySourceOptions, connects = false): Promise<Check> {
  const path = configPath(source) ?? "";
  const checked = checkSource(path, source);
  const { content } = checked;
  const users = await checkUsers(checked, connects);
  const problems = [...checked.read.problems, ...users.problems];
  const errors = problems.filter(({ severity }) => severity === "error").length;
  const counts = [count(errors, "error"), count(problems.length - errors, "warning")].filter(
    (one) => one !== undefined,
  );
  const servers = content?.servers ?? [];
  const shown =
    source.from === undefined
      ? []
      : servers.map((server) => `${server.name}: ${describeServer(server).replaceAll("\n", "\n  ")}`);
  const access = content ? printAccess(content.settings, servers) : [];
  const summary =
    counts.length === 0 ? `${count(servers.length, "server") ?? "no servers"}, no problems` : counts.join(", ");
  return {
    text: [
      ...problems.map(formatProblem),
      ...shown,
      ...access,
      ...(users.line === undefined ? [] : [users.line]),
      `${path}: ${summary}`,
      "",
    ].join("\n"),
    isValid: errors === 0,
  };
}

/** What only the code finds out that verifies tokens, and logs users in. It is loaded if the configuration needs it. */
async function checkUsers({ read, content }: CheckedSource, connects: boolean): Promise<CheckedUsers> {
  const { authorization } = content?.settings ?? {};
  if (!content || !authorization) return { problems: [] };
  const { settings, context, servers } = content;
  const { authorizationOf } = await import("./authorization/config-authorization.js");
  const { checkIssuers } = await import("./authorization/check-issuers.js");
  const { checkLogIns } = await import("./log-in/check-log-ins.js");
  const { logInOf } = await import("./log-in/config-log-in.js");
  const problemsOf = (field: string, found: readonly Diagnostic[]): readonly ConfigProblem[] => {
    const span = read.locate(undefined, ["gateway", field]);
    // References without a value have been reported, with a better place.
    const isKnown = ({ message }: Diagnostic): boolean => read.problems.some((one) => one.message === message);
    return found.filter((one) => !isKnown(one)).map((one) => ({ ...one, span }));
  };
  let field = "authorization";
  try {
    const clients = authorizationOf(settings, context, () => undefined);
    const found = connects ? await checkIssuers(authorization, context) : [];
    field = "logIn";
    const logIn = clients && logInOf(settings, context, clients, () => undefined);
    const unusable = connects && clients && logIn ? await checkLogIns(content, clients, logIn.page) : [];
    const located = unusable.map(({ server, diagnostic }): ConfigProblem => {
      // The page has settings only if something differs from the defaults.
      const place = server === undefined && !settings.logIn ? ["gateway", "authorization"] : ["gateway", "logIn"];
      const span = read.locate(server, server === undefined ? place : ["logIn"]);
      return { ...diagnostic, span, ...(server !== undefined && { server }) };
    });
    const line = printLogIn(logIn, servers);
    return { problems: [...problemsOf("authorization", found), ...located], ...(line !== undefined && { line }) };
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return { problems: problemsOf(field, error.diagnostics) };
  }
}

interface CheckedUsers {
  readonly problems: readonly ConfigProblem[];
  /** Where users log in. */
  readonly line?: string;
}

function count(number: number, what: string): string | undefined {
  return number === 0 ? undefined : `${number} ${what}${number === 1 ? "" : "s"}`;
}
