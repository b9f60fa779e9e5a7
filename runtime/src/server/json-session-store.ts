import type { SessionData, SessionValues } from "../http-server/session-data.js";
import { SdkError } from "../jsonrpc/errors.js";
import { ownMember } from "../jsonrpc/guards.js";
import { markHandled } from "../timing/mark-handled.js";
import type { AnySessionKey, SessionKey, SessionStore } from "./session-store.js";

/** Reads and writes the values of one session. */
export class JsonSessionStore implements SessionStore {
  constructor(
    readonly data: SessionData,
    readonly maxLength = 65_536,
  ) {}

  get<Value>({ name }: SessionKey<Value>): Promise<Value | undefined> {
    return markHandled(this.#get<Value>(name));
  }

  set<Value>({ name }: SessionKey<Value>, value: Value): Promise<void> {
    return markHandled(this.#update(name, () => value).then(() => undefined));
  }

  update<Value>(
    { name }: SessionKey<Value>,
    change: (value: Value | undefined) => Value | undefined,
  ): Promise<Value | undefined> {
    return markHandled(this.#update(name, change));
  }

  delete({ name }: AnySessionKey): Promise<boolean> {
    let wasThere = false;
    const changed = this.#update(name, (value) => {
      wasThere = value !== undefined;
      return undefined;
    });
    return markHandled(changed.then(() => wasThere));
  }

  async #get<Value>(name: string): Promise<Value | undefined> {
    return ownMember(await this.data.read(), name) as Value | undefined;
  }

  async #update<Value>(
    name: string,
    change: (value: Value | undefined) => Value | undefined,
  ): Promise<Value | undefined> {
    let value: Value | undefined;
    await this.data.change((values) => {
      value = change(ownMember(values, name) as Value | undefined);
      return this.#textWith(values, name, value);
    });
    return value;
  }

  /** The JSON text of values after a change of one; undefined when nothing changes. */
  #textWith(values: SessionValues, name: string, value: unknown): string | undefined {
    const { [name]: before, ...others } = values;
    if (value === undefined) return before === undefined ? undefined : JSON.stringify(others);
    const text = toText({ ...others, [name]: value }, name);
    if (text.length <= this.maxLength) return text;
    throw new SdkError(
      "LIMIT_EXCEEDED",
      `session.store: with the new value of "${name}", the session has ${text.length} characters of data, and at most ` +
        `${this.maxLength} are allowed (limits.sessionDataLength); keep the data in a database, and its id in the session`,
    );
  }
}

/** @throws TypeError when a part is not JSON, and so would be read as something else than what was written */
function toText(values: SessionValues, name: string): string {
  const fail = (cause: string, error?: unknown): TypeError =>
    new TypeError(`session.store: the value of "${name}" is not JSON: ${cause}`, { cause: error });
  let problem: TypeError | undefined;
  try {
    return JSON.stringify(values, function (this: object, member: string, part: unknown) {
      // `part` is what `toJSON` has returned.
      const kind = notJson(Reflect.get(this, member), Array.isArray(this));
      if (kind !== undefined) throw (problem = fail(member === name ? `it is ${kind}` : `"${member}" is ${kind}`));
      return part;
    });
  } catch (error) {
    if (problem) throw problem;
    throw fail("it contains itself, or is nested too deeply", error);
  }
}

/** Says what a value is that JSON cannot represent. */
function notJson(value: unknown, isElement: boolean): string | undefined {
  switch (typeof value) {
    case "number":
      return Number.isFinite(value) ? undefined : String(value);
    case "undefined":
      return isElement ? "undefined" : undefined;
    case "bigint":
    case "function":
    case "symbol":
      return `a ${typeof value}`;
    case "object": {
      if (value === null || Array.isArray(value)) return undefined;
      const prototype = Object.getPrototypeOf(value) as object | null;
      if (prototype === null || Object.getPrototypeOf(prototype) === null) return undefined;
      return `an instance of ${prototype.constructor.name}`;
    }
    default:
      return undefined;
  }
}
