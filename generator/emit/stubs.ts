import { fail } from "../diagnostics/diagnostic.js";
import type {
  Definition,
  MemberModel,
  NotificationModel,
  ProtocolModel,
  RequestModel,
  Side,
  StructDefinition,
} from "../model/protocol.js";
import { access, binding, code, docComment, literal, typeName, type Code } from "./code.js";
import { resultRowName } from "./methods.js";
import { lowerFirst, safeBinding, upperFirst } from "./names.js";
import { resultTypeName, stem } from "./outcomes.js";
import { pageItems } from "./page-items.js";
import { deprecationTags, printMembers, printType } from "./type-printer.js";

export interface StubsView {
  readonly contractTypes: readonly Code[];
  readonly support: readonly Code[];
  readonly types: readonly Code[];
  readonly values: readonly Code[];
  readonly inputs: readonly Code[];
  readonly functions: readonly Code[];
  readonly handlers: readonly Code[];
  readonly side: Code;
  readonly title: Code;
}

/** `client.ts` and `server.ts`: a function per message that the side sends, and the type of its handlers. */
export function emitStubs(side: Side, model: ProtocolModel): StubsView {
  const printer = new StubPrinter(model);
  const requests = model.requests.filter(({ sender }) => sender === side);
  const functions = [
    ...requests.map((request) => printer.request(request)),
    ...requests.flatMap((request) => (request.pages === undefined ? [] : [printer.pages(request, request.pages)])),
    ...model.notifications
      .filter(({ sender }) => sender === side)
      .map((notification) => printer.notification(notification)),
  ];
  const handlers = [
    ...model.requests.filter(({ sender }) => sender !== side).map((request) => printer.requestHandler(request)),
    ...model.notifications
      .filter(({ sender }) => sender !== side)
      .map((notification) => printer.notificationHandler(notification)),
  ];
  return printer.view(side, functions, handlers);
}

class StubPrinter {
  private readonly definitions: ReadonlyMap<string, Definition>;
  private readonly contract = new Set(["Connection"]);
  private readonly support = new Set<string>();
  private readonly types = new Map<string, Code>();
  private readonly values = new Set<string>();
  private readonly inputs: Code[] = [];
  /** Names that the module declares or imports. */
  private readonly declared = new Set([
    "handleClient",
    "handleServer",
    "paginate",
    "readResult",
    "readStream",
    "resultTag",
  ]);

  constructor(private readonly model: ProtocolModel) {
    this.definitions = new Map(model.definitions.map((definition) => [definition.name, definition]));
  }

  request(request: RequestModel): Code {
    const name = this.declare(requestFunction(request), request.type);
    const params = this.paramsParameter(request);
    const row = resultRowName(request);
    this.values.add(row);
    this.contract.add("RequestOptions");
    const doc = docComment({ text: this.textOf(request.type), tags: this.tagsOf(request) });
    if (request.stream) return this.stream(request, name, params, row, doc);
    this.support.add("readResult");
    const result = this.type(resultTypeName(request));
    const tag = this.resultTag();
    return code`${doc}export async function ${name}(connection: Connection, ${params}, options?: RequestOptions): Promise<${result}> {
const result = await connection.request(${literal(request.method)}, params, options);
return readResult(${literal(request.method)}, ${row}, ${tag}, params, result) as ${result};
}`;
  }

  private stream(request: RequestModel, name: Code, params: Code, row: Code, doc: Code): Code {
    this.support.add("readStream");
    this.contract.add("Subscription");
    const event = this.type(request.sender === "client" ? "ServerEvent" : "ClientEvent");
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
    const doc = docComment({
      text: `The \`${member}\` of all pages, one by one; asks for the next page when it is needed.`,
      tags: this.tagsOf(request),
    });
    return code`${doc}export function ${name}(connection: Connection, ${params}, options?: RequestOptions): AsyncGenerator<${item}, void, undefined> {
return paginate(${literal(request.method)}, (page) => ${binding(list)}(connection, { ...params, ...page }, options), (result) => ${access(code`result`, member)});
}`;
  }

  notification(notification: NotificationModel): Code {
    const { type, method } = notification;
    const name = this.declare(`notify${stem(type)}`, type);
    const doc = docComment({ text: this.textOf(type), tags: this.tagsOf(notification) });
    this.contract.add("RequestId");
    const params = this.paramsParameter(notification);
    return code`${doc}export function ${name}(connection: Connection, ${params}, relatedTo?: RequestId): Promise<void> {
return connection.notify(${literal(method)}, params, relatedTo);
}`;
  }

  requestHandler(request: RequestModel): Code {
    const result = this.type(resultTypeName(request));
    const doc = docComment({ text: this.textOf(request.type), tags: this.tagsOf(request) });
    this.contract.add("HandlerContext");
    return code`${doc}${literal(request.method)}?: (params: ${this.handlerParams(request)}, context: HandlerContext) => ${result} | Promise<${result}>;`;
  }

  notificationHandler(notification: NotificationModel): Code {
    const doc = docComment({ text: this.textOf(notification.type), tags: this.tagsOf(notification) });
    this.contract.add("HandlerContext");
    return code`${doc}${literal(notification.method)}?: (params: ${this.handlerParams(notification)}, context: HandlerContext) => void | Promise<void>;`;
  }

  view(side: Side, functions: readonly Code[], handlers: readonly Code[]): StubsView {
    const sorted = (names: Iterable<string>): readonly Code[] => [...names].sort().map((name) => name as Code);
    return {
      contractTypes: sorted(this.contract),
      support: sorted(this.support),
      types: [...this.types]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, local]) => (name === local ? local : code`${name as Code} as ${local}`)),
      values: sorted(this.values),
      inputs: this.inputs,
      functions,
      handlers,
      side: binding(side),
      title: binding(upperFirst(side)),
    };
  }

  /** The parameter of a stub. Where the schema demands `_meta`, the connection completes it and callers need not. */
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
    const name = `${stem(type)}Input`;
    if (!this.declared.has(name)) {
      this.declared.add(name);
      const meta: MemberModel = {
        name: "_meta",
        optional: true,
        type: { kind: "object" },
        text: "Further metadata; what the protocol demands is added by the connection.",
      };
      const members = struct.members.map((member) => (member.name === "_meta" ? meta : member));
      const body = printMembers({ members }, (found) => this.type(found));
      this.inputs.push(
        code`${docComment({ text: `Params of \`${lowerFirst(stem(type))}\`.` })}export interface ${typeName(name)} {\n${body}}`,
      );
    }
    return typeName(name);
  }

  private allOptional({ params, paramsOptional }: RequestModel): boolean {
    const struct = params === undefined ? undefined : this.definitions.get(params);
    return paramsOptional || (struct?.kind === "struct" && struct.members.every(({ optional }) => optional));
  }

  private handlerParams({
    params,
    paramsOptional,
  }: {
    readonly params?: string;
    readonly paramsOptional: boolean;
  }): Code {
    const printed = params === undefined ? code`object` : this.type(params);
    return paramsOptional ? code`${printed} | undefined` : printed;
  }

  /** Imports a type; one that is named like something this file uses otherwise gets another local name. */
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
    if (this.declared.has(name)) fail("name-collision", { name, owner });
    this.declared.add(name);
    return binding(name);
  }

  private textOf(type: string): string | undefined {
    return this.definitions.get(type)?.text;
  }

  private tagsOf({
    link,
    deprecated,
    capability,
  }: Pick<RequestModel, "link" | "deprecated" | "capability">): readonly string[] {
    const needed = capability === null ? [] : [`remarks Needs the capability \`${capability}\`.`];
    return [...needed, ...(link === undefined ? [] : [`see ${link}`]), ...deprecationTags(deprecated)];
  }
}

/** Names that stub modules take from the contract or from JavaScript. */
const importedNames: ReadonlySet<string> = new Set([
  "AsyncGenerator",
  "Connection",
  "HandlerContext",
  "Promise",
  "RequestId",
  "RequestOptions",
  "Subscription",
]);

function requestFunction({ type }: RequestModel): string {
  return safeBinding(lowerFirst(stem(type)), "Request");
}
