import type { MethodHandlers } from "../../connection/dispatch-table.js";
import type { ServerContext } from "../../server/contracts.js";
import { LogInRequiredError } from "./log-in-required.js";
import type { AskedLogIn, AttachedLogIn } from "./server-log-in.js";

/** What handlers need to ask for log-ins. */
export interface LogInHost {
  /** Whether users log in at a server. */
  readonly hasLogIns: () => boolean;
  readonly logInAt: (server: string) => AttachedLogIn | undefined;
  /** Called when a request ends with the question for a log-in. */
  readonly asked: (context: ServerContext, server: string) => void;
}

type Handler = (params: never, context: never) => unknown;

/** Lets handlers ask for the log-ins that their requests need, and wait for them in the next round. */
export function askingForLogIns(handlers: MethodHandlers, host: LogInHost): MethodHandlers {
  const asking = (handler: Handler) => (params: never, context: ServerContext) =>
    host.hasLogIns() ? handleOrAsk(handler, params, context, host) : handler(params, context as never);
  return Object.fromEntries(Object.entries(handlers).map(([method, handler]) => [method, asking(handler as Handler)]));
}

async function handleOrAsk(
  handler: Handler,
  params: never,
  context: ServerContext,
  { logInAt, asked }: LogInHost,
): Promise<unknown> {
  try {
    const { logIn } = Object(context.requestState) as { readonly logIn?: AskedLogIn };
    const refused = logIn && (await logInAt(logIn.server)?.resume(context));
    if (refused) return refused;
    return await handler(params, context as never);
  } catch (error) {
    const logIn = error instanceof LogInRequiredError && logInAt(error.server);
    if (!logIn) throw error;
    asked(context, error.server);
    return logIn.ask(context, error.isWanted);
  }
}

/**
 * Subscribes to a resource. A stream of changes cannot ask: without a log-in, it is opened without the resource.
 * @throws ProtocolError that asks for the log-in, for requests to subscribe
 */
export async function subscribeOrAsk(
  subscribe: () => Promise<boolean>,
  context: ServerContext,
  { logInAt }: LogInHost,
): Promise<boolean> {
  try {
    return await subscribe();
  } catch (error) {
    if (!(error instanceof LogInRequiredError)) throw error;
    if (context.session) await logInAt(error.server)?.ask(context, false);
    return false;
  }
}
