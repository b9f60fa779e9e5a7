import { SdkError } from "../../jsonrpc/errors.js";

/** A request needs that its user logs in at a server. It is converted before the client gets it. */
export class LogInRequiredError extends SdkError {
  /** @param isWanted whether the client has called the tool that starts the log-in */
  constructor(
    readonly server: string,
    readonly isWanted = false,
  ) {
    super("UNAUTHORIZED", `the user has to log in at the server "${server}" first`);
  }
}
