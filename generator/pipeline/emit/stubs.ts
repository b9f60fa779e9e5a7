import { fail } from "../../shared/diagnostics/diagnostic.js";
import type {
  Definition,
  NotificationModel,
  ProtocolModel,
  RequestModel,
  Side,
  StructDefinition,
} from "../../shared/model/protocol.js";
import { access, binding, code, docComment, literal, typeName, type Code } from "../../shared/code/code.js";
import { messageDoc } from "./message-doc.js";
import { resultDescriptorName, sideTitles, type Titles } from "./methods.js";
import type { Locate } from "./reserved-names.js";
import { lowerFirst, safeBinding, upperFirst } from "../../shared/names/case.js";
import { resultTypeName, messageStem } from "./outcomes.js";
import { pageItems } from "./page-items.js";
import { printMembers, printType } from "./type-printer.js";

export interface StubsView {
  readonly contractTypes: readonly Code[];
  readonly support: readonly Code[];
  readonly types: readonly Code[];
  /** The types that another module has. */
  readonly baseTypes: readonly Code[];
  readonly values: readonly Code[];
  readonly inputs: readonly Code[];
  readonly functions: readonly Code[];
  readonly handlers: Code;
  readonly side: Code;
  readonly title: Code;
}

export interface StubsOptions {
  readonly titles: Titles;
  /** The types that another module has. */
  readonly imported: ReadonlySet<string>;
}

/** `client.ts` and `server.ts`: a function per message that the side sends, and the type of its handlers. */
export function emitStubs(
  side: Side,
  model: ProtocolModel,
  locate: Locate = () => undefined,
  { titles, imported }: StubsOptions = { titles: sideTitles, imported: new Set() },
): StubsView {
  const printer = new StubPrinter(model, locate, titles, imported);
  const requests = model.requests.filter(({ sender }) => sender === side);
  const functions = [
    ...requests.map((request) => printer.request(request)),
    ...requests.flatMap((request) => (request.pages === undefined ? [] : [printer.pages(request, request.pages)])),
    ...model.notifications
      .filter(({ sender }) => sender === side)
      .map((notification) => printer.notification(notification)),
  ];
  return printer.view(side, functions);
}

class StubPrinter {
  private readonly definitions: ReadonlyMap<string, Definition>;
  private readonly contract = new Set(["Connection", "Handlers"]);
  private readonly support = new Set<string>();
  private readonly types = new Map<string, Code>();
  private readonly values = new Set<string>();
  private readonly inputs: Code[] = [];
  /** Names that the module declares or imports. */
  private readonly declared = new Set([
    "handleClient",
    "handleServer",
    "paginate",
    "readStream",
    "requestResult",
    "resultTag",
  ]);

  constructor(
    private readonly model: ProtocolModel,
    private readonly locate: Locate,
    private readonly titles: Titles,
    private readonly imported: ReadonlySet<string>,
  ) {
    this.definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
  }

  request(request: RequestModel): Code {
    const name = this.declare(requestFunction(request), request.type);
    const params = this.paramsParameter(request);
    const row = resultDescriptorName(request);
    this.values.add(row);
    this.contract.add("RequestOptions");
    const doc = messageDoc(request, this.model);
    if (request.stream) return this.stream(request, name, params, row, doc);
    this.support.add("requestResult");
    const result = this.type(resultTypeName(request));
    return code`${doc}export function ${name}(connection: Connection, ${params}, options?: RequestOptions): Promise<${result}> {
return requestResult(connection, ${literal(request.method)}, ${row}, ${this.resultTag()}, params, options) as Promise<${result}>;
}`;
  }

  private stream(request: RequestModel, name: Code, params: Code, row: Code, doc: Code): Code {
    this.support.add("readStream");
    this.contract.add("Subscription");
    const event = this.type(`${this.titles[request.sender === "client" ? "server" : "client"]}Event`);
    const acknowledged = this.model.notifications.find(({ method }) => method === request.stream?.acknowledged)?.params;
    const subscription = code`Subscription<${event}, ${acknowledged === undefined ? code`object` : this.type(acknowledged)}, ${this.type(resultTypeName(request))}>`;
    return code`${doc}export function ${name}(connection: Connection, ${params}, options?: RequestOptions): ${subscription} {
const stream = connection.listen(${literal(request.method)}, params, options);
return readStream(${literal(request.method)}, ${row}, ${this.resultTag()}, params, stream) as ${subscription};
}`;
  }

  pages(request: RequestModel, member: string): Code {
    const list = requestFunction(request);
    const name = this.declare(
      list.startsWith("list") ? `listAll${list.slice("list".length)}` : `all${upperFirst(list)}`,
      request.type,
    );
    this.support.add("paginate");
    const items = pageItems(request, this.model);
    const item = items ? printType(items, (found) => this.type(found)) : code`unknown`;
    const params = this.paramsParameter({ ...request, paramsOptional: this.allOptional(request) });
    const doc = messageDoc(
      request,
      this.model,
      `The \`${member}\` of all pages, one by one; requests the next page only when it is needed.`,
    );
    return code`${doc}export function ${name}(connection: Connection, ${params}, options?: RequestOptions): AsyncGenerator<${item}, void, undefined> {
return paginate(${literal(request.method)}, (page) => ${binding(list)}(connection, { ...params, ...page }, options), (result) => ${access(code`result`, member)});
}`;
  }

  notification(notification: NotificationModel): Code {
    const { type, method } = notification;
    const name = this.declare(`notify${messageStem(type)}`, type);
    this.contract.add("RequestId");
    const params = this.paramsParameter(notification);
    return code`${messageDoc(notification, this.model)}export function ${name}(connection: Connection, ${params}, relatedTo?: RequestId): Promise<void> {
return connection.notify(${literal(method)}, params, relatedTo);
}`;
  }

  view(side: Side, functions: readonly Code[]): StubsView {
    const peer = this.titles[side === "client" ? "server" : "client"];
    const handlers = code`Handlers<${this.type(`${peer}Requests`)}, ${this.type(`${peer}Notifications`)}>`;
    const sorted = (names: Iterable<string>): readonly Code[] => [...names].sort().map((name) => name as Code);
    return {
      contractTypes: sorted(this.contract),
      support: sorted(this.support),
      types: this.importsOf((name) => !this.imported.has(name)),
      baseTypes: this.importsOf((name) => this.imported.has(name)),
      values: sorted(this.values),
      inputs: this.inputs,
      functions,
      handlers,
      side: binding(lowerFirst(this.titles[side])),
      title: binding(this.titles[side]),
    };
  }

  private importsOf(wanted: (name: string) => boolean): readonly Code[] {
    return [...this.types]
      .filter(([name]) => wanted(name))
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, local]) => (name === local ? local : code`${name as Code} as ${local}`));
  }

  /**
   * The parameter of a stub. Where the schema requires `_meta`, the connection completes it, so callers may omit it.
   */
  private paramsParameter({
    params,
    paramsOptional,
    type,
  }: Pick<RequestModel, "params" | "paramsOptional" | "type">): Code {
    const struct = params === undefined ? undefined : this.definitions.get(params);
    if (struct?.kind === "struct" && struct.members.some(({ name, optional }) => name === "_meta" && !optional)) {
      const open = struct.members.every(({ name, optional }) => optional || name === "_meta");
      return code`params${(open ? "?" : "") as Code}: ${this.input(type, struct)}`;
    }
    const printed = params === undefined ? code`object` : this.type(params);
    return paramsOptional ? code`params?: ${printed}` : code`params: ${printed}`;
  }

  private input(type: string, struct: StructDefinition): Code {
    const name = `${messageStem(type)}Input`;
    if (!this.declared.has(name)) {
      this.declared.add(name);
      const doc = docComment({ text: `Params of \`${lowerFirst(messageStem(type))}\`.` });
      this.inputs.push(code`${doc}export interface ${typeName(name)} ${this.inputBody(struct)}`);
    }
    return typeName(name);
  }

  /** Applied to a type with an index signature, `Omit` would drop all listed members. */
  private inputBody({ name, members, index }: StructDefinition): Code {
    this.contract.add("FreeMeta");
    if (!index) return code`extends Omit<${this.type(name)}, "_meta">, FreeMeta {}`;
    const others = members.filter((member) => member.name !== "_meta");
    return code`extends FreeMeta {\n${printMembers({ members: others }, (found) => this.type(found))}}`;
  }

  private allOptional({ params, paramsOptional }: RequestModel): boolean {
    const struct = params === undefined ? undefined : this.definitions.get(params);
    return paramsOptional || (struct?.kind === "struct" && struct.members.every(({ optional }) => optional));
  }

  /** Imports a type. When its name is already used in this file, it gets another local name. */
  private type(name: string): Code {
    const local =
      importedNames.has(name) || name.endsWith("Input") || name.endsWith("Handlers")
        ? typeName(`${name}Type`)
        : typeName(name);
    this.types.set(name, local);
    return local;
  }

  private resultTag(): Code {
    if (!this.model.resultTag) return code`undefined`;
    this.values.add("resultTag");
    return code`resultTag`;
  }

  private declare(name: string, owner: string): Code {
    if (this.declared.has(name)) fail("name-collision", { name, owner }, this.locate(owner));
    this.declared.add(name);
    return binding(name);
  }
}

/** Names that stub modules take from the contract or from JavaScript. */
const importedNames: ReadonlySet<string> = new Set([
  "AsyncGenerator",
  "Connection",
  "FreeMeta",
  "Omit",
  "Promise",
  "RequestId",
  "RequestOptions",
  "Subscription",
]);

function requestFunction({ type }: RequestModel): string {
  return safeBinding(lowerFirst(messageStem(type)), "Request");
}
