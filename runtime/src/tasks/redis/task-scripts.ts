// The calls of a store as scripts, each complete in one step.

import { type RedisScript, script } from "../../redis/redis-script.js";
import { library } from "./script-library.js";

const call = (body: string): RedisScript => script(library + body.trim());

/** A call that also works when Redis has reached `maxmemory`: it needs little, and tasks could not end without it. */
const smallCall = (body: string): RedisScript => script(`#!lua flags=allow-oom${library}${body.trim()}`);

/** `ARGV`: the id, the owner, the revision, the worker, and the rest as read below. Returns why the task was not created, or an empty text. */
export const create = call(`
local name, owner, revision, worker = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local record, request, ended, life = ARGV[6], ARGV[7], ARGV[8] == '1', tonumber(ARGV[9])
local version, attempts, size, requestSize = tonumber(ARGV[10]), tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13])
local limits = { tonumber(ARGV[14]), tonumber(ARGV[15]), tonumber(ARGV[16]), tonumber(ARGV[17]) }
if redis.call('HEXISTS', meta, name) == 1 then return { finish(), 'task-exists' } end
local limit = exceeded(owner, 1, size, limits)
if limit then return { finish(), limit } end
local created = nextStamp()
local task = {
  stamp = created, owner = owner, revision = revision, worker = worker, version = version, attempts = attempts,
  ended = ended, size = size, requestSize = requestSize,
  expires = life and math.floor(created / 1000) + life
}
put(name, task)
redis.call('HSET', records, name, record)
if request ~= '' then redis.call('HSET', requests, name, request) end
redis.call('ZADD', list, 0, owner .. revision .. digits(created) .. name)
if not ended then addRun(name, task) end
resize(owner, size)
return { finish(), '' }`);

/** `ARGV`: the id and the owner. Returns the record, when there is one. */
export const get = call(`
local task = find(ARGV[2], ARGV[3])
return { finish(), task and recordOf(ARGV[2], task) or '' }`);

/** `ARGV`: the id and the owner. Returns the request, or an empty text. */
export const getRequest = call(`
local request = find(ARGV[2], ARGV[3]) and redis.call('HGET', requests, ARGV[2])
return { finish(), request or '' }`);

const replace = `
local name, owner, worker, record = ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ended, life = ARGV[6] == '1', tonumber(ARGV[7])
local version, attempts, newSize = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10])
local task = find(name, owner)
if not task or task.ended or task.version ~= version - 1 then return { finish(), 'unchanged' } end
local growth = newSize + task.requestSize - task.size
if ARGV[11] then
  local limits = { tonumber(ARGV[11]), tonumber(ARGV[12]), tonumber(ARGV[13]), tonumber(ARGV[14]) }
  local limit = exceeded(owner, 0, growth, limits)
  if limit then return { finish(), limit } end
end
local before = { worker = task.worker, stamp = task.stamp }
local isMoved = ended or worker ~= task.worker
task.worker, task.version, task.attempts, task.ended = worker, version, attempts, ended
task.size = task.size + growth
task.expires = life and math.floor(task.stamp / 1000) + life
put(name, task)
redis.call('HSET', records, name, record)
if isMoved then removeRun(name, before) end
if isMoved and not ended then addRun(name, task) end
resize(owner, growth)
return { finish(), '' }`;

/** `ARGV`: the id, the owner, the worker, and the rest as read above; without limits for a small record. Returns why nothing was changed, or an empty text. */
export const update = call(replace);
export const smallUpdate = smallCall(replace);

/** `ARGV`: the id and the owner. Returns whether there was such a task. */
export const remove = smallCall(`
local task = find(ARGV[2], ARGV[3])
if task then drop(ARGV[2], task) end
return { finish(), task and 1 or 0 }`);

/** `ARGV`: the owner, the revision, the stamp after which to list, and the most tasks. Returns their records, and one more. */
export const list = call(`
local prefix, after, limit = ARGV[2] .. ARGV[3], '[' .. ARGV[2] .. ARGV[3] .. digits(tonumber(ARGV[4]) + 1), tonumber(ARGV[5])
local found = {}
repeat
  local members = redis.call('ZRANGEBYLEX', list, after, '(' .. prefix .. ':', 'LIMIT', 0, limit + 1)
  for _, member in ipairs(members) do
    local name = string.sub(member, #prefix + 17)
    local task = load(name)
    if task and #found <= limit then found[#found + 1] = recordOf(name, task) end
    after = '(' .. member
  end
until #found > limit or #members <= limit
return { finish(), found }`);

/** `ARGV`: the worker, and its lease in milliseconds. */
export const heartbeat = smallCall(`
redis.call('HSET', workers, 'b' .. ARGV[2], text(nextStamp()) .. ' ' .. ARGV[3])
keep = math.max(keep, now + tonumber(ARGV[3]))
return { finish() }`);

/** `ARGV`: the worker. */
export const retire = smallCall(`
if redis.call('HDEL', workers, 'b' .. ARGV[2]) == 1 then nextStamp() end
return { finish() }`);

/** Returns the names and values of `workers`. */
export const readWorkers = call(`
return { finish(), redis.call('HGETALL', workers) }`);

/**
 * `ARGV`: the worker, the most tasks, the number of this claim, the numbers of claims whose replies were lost, and pairs of a dead worker and
 * its last heartbeat. Returns the records of the claimed tasks; those of lost claims are claimed again.
 */
export const claim = smallCall(`
local worker, limit, number, lost = ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5]
local dead, found = {}, {}
if lost ~= '' then
  for _, member in ipairs(redis.call('ZRANGEBYLEX', runs, '[' .. worker .. '0', '(' .. worker .. ':')) do
    local task = load(string.sub(member, #worker + 17))
    local isLost = task and task.claim and string.find(' ' .. lost .. ' ', ' ' .. task.claim .. ' ', 1, true)
    if isLost then found[#found + 1] = string.sub(member, #worker + 1) end
  end
end
for at = 6, #ARGV, 2 do
  local other = ARGV[at]
  if (redis.call('HGET', workers, 'b' .. other) or '') == ARGV[at + 1] then
    dead[#dead + 1] = other
    for _, member in ipairs(redis.call('ZRANGEBYLEX', runs, '[' .. other .. '0', '(' .. other .. ':', 'LIMIT', 0, limit)) do
      found[#found + 1] = string.sub(member, #other + 1)
    end
  end
end
table.sort(found)
local claimed = {}
for at = 1, math.min(limit, #found) do
  local name = string.sub(found[at], 17)
  local task = load(name)
  if task then
    removeRun(name, task)
    if task.worker ~= worker then task.attempts = task.attempts + 1 end
    task.worker, task.version, task.claim = worker, task.version + 1, number
    put(name, task)
    addRun(name, task)
    claimed[#claimed + 1] = recordOf(name, task)
  end
end
for _, other in ipairs(dead) do
  if redis.call('HEXISTS', workers, 'n' .. other) == 0 and redis.call('HDEL', workers, 'b' .. other) == 1 then nextStamp() end
end
return { finish(), claimed }`);

/** Returns the milliseconds until a task expires, or an empty text. */
export const expire = smallCall(`
local change = finish()
local expires = redis.call('ZRANGE', ends, 0, 0, 'WITHSCORES')[2]
return { change, expires and text(math.max(0, tonumber(expires) - now)) or '' }`);

/** `ARGV`: a stamp or 0, and an age in microseconds. Returns the stamp of the last change, and pairs of ids and stamps of changes. */
export const changesSince = call(`
local change = finish()
local since = tonumber(ARGV[2])
if since == 0 then since = clock end
local from = text(math.max(0, since - tonumber(ARGV[3])))
return { change, text(last), redis.call('ZRANGEBYSCORE', changes, '(' .. from, '+inf', 'WITHSCORES') }`);
