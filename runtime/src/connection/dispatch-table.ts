import type { ParamsDescriptor, RequestDescriptor, Side } from "@mcpwright/protocol/contract";
import { ErrorCode, ProtocolError } from "../jsonrpc/errors.js";
import type { TransportConnection } from "./transport-connection.js";

/** Called with checked params and a context that depends on the side. */
export type MethodHandler = (params: never, context: never) => unknown;

/** Handlers by method. */
export type MethodHandlers = Readonly<Record<string, MethodHandler | undefined>>;

/** The row of a received method in the tables of a revision, and its handler. */
export interface DispatchEntry<Row extends ParamsDescriptor = RequestDescriptor> {
  readonly row: Row;
  readonly handler: MethodHandler;
}

interface RevisionTables {
  readonly requests: ReadonlyMap<string, DispatchEntry>;
  readonly notifications: ReadonlyMap<string, DispatchEntry<ParamsDescriptor>>;
}

/** The handlers of one side, joined with the rows of each revision it supports. */
export class DispatchTable {
  readonly #handlers = new Map<string, MethodHandler>();
  readonly #tables = new Map<Side, RevisionTables>();

  /**
   * @param isOffered whether the capability that a row needs is declared; the peer cannot call other methods
   * @param parent the table to search for methods without a handler in this one
   */
  constructor(
    readonly isOffered: (row: ParamsDescriptor, side: Side) => boolean,
    readonly parent?: DispatchTable,
  ) {}

  add(handlers: MethodHandlers): void {
    for (const [method, handler] of Object.entries(handlers)) if (handler) this.#handlers.set(method, handler);
    this.reset();
  }

  /** Discards the joined tables, because the declared capabilities have changed. */
  reset(): void {
    this.#tables.clear();
  }

  findRequest(side: Side, method: string): DispatchEntry | undefined {
    return this.#of(side).requests.get(method) ?? this.parent?.findRequest(side, method);
  }

  findNotification(side: Side, method: string): DispatchEntry<ParamsDescriptor> | undefined {
    return this.#of(side).notifications.get(method) ?? this.parent?.findNotification(side, method);
  }

  #of(side: Side): RevisionTables {
    let tables = this.#tables.get(side);
    if (!tables) {
      const { requests, notifications } = side.receives;
      tables = { requests: this.#join(requests, side), notifications: this.#join(notifications, side) };
      this.#tables.set(side, tables);
    }
    return tables;
  }

  #join<Row extends ParamsDescriptor>(
    rows: Readonly<Record<string, Row>>,
    side: Side,
  ): ReadonlyMap<string, DispatchEntry<Row>> {
    const routes = new Map<string, DispatchEntry<Row>>();
    for (const [method, row] of Object.entries(rows)) {
      const handler = this.#handlers.get(method);
      if (handler && this.isOffered(row, side)) routes.set(method, { row, handler });
    }
    return routes;
  }
}

/**
 * The error (-32602) when required params are missing or do not match the schema, and `data.issues` contains the reasons; or when an
 * extension refuses the message.
 */
export function invalidParamsError(
  row: ParamsDescriptor,
  method: string,
  params: object | undefined,
  { side, capabilities }: { readonly side: Side; readonly capabilities?: object | undefined },
  connection: Pick<TransportConnection, "explain">,
): ProtocolError | undefined {
  const refusal = row.refuse?.(capabilities, params);
  if (refusal) return new ProtocolError(ErrorCode.InvalidParams, refusal.problem);
  if (params === undefined ? row.paramsOptional : !row.params || row.params(params)) return undefined;
  const known = params === undefined ? undefined : connection.explain(side, row.params, params);
  const what = params === undefined ? "they are missing" : (known?.text ?? "they do not match the schema");
  const data = known && { issues: known.issues };
  return new ProtocolError(ErrorCode.InvalidParams, `Invalid params of ${method}: ${what}`, data);
}
