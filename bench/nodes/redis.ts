import { RedisServer } from "../../test/redis/redis-server.js";
import { cpuMsOf } from "../shared/cpu.js";

/** A Redis server of its own, without persistence. */
export class Redis {
  private constructor(
    readonly server: RedisServer,
    readonly pid: number,
    readonly version: string,
  ) {}

  static async start(): Promise<Redis> {
    const server = await RedisServer.start();
    const info = String(await server.command("INFO", "server"));
    const field = (name: string): string => new RegExp(`^${name}:(\\S+)`, "m").exec(info)?.[1] ?? "";
    return new Redis(server, Number(field("process_id")), field("redis_version"));
  }

  get cpuMs(): number {
    return cpuMsOf(this.pid);
  }
}
