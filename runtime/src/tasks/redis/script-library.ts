/**
 * The keys of a store, in the order in which scripts get them. Names and owners in them are quoted as JSON, so that they end where their
 * quotes end.
 *
 * - `state`: `form`, the version of this layout; `clock` and `last`, the stamps of the last write and the last change; `size`, the
 *   characters of all tasks; `keep`, until when the workers need the keys.
 * - `meta`: what scripts have to know of each task; `records` and `requests`: its texts.
 * - `list`: `<owner><revision><stamp><id>`, in this order. `runs`: the same with the worker, of tasks that have not ended.
 * - `ends`: when tasks expire. `changes`: the stamp of the last change of each task.
 * - `workers`: the heartbeat (`b<worker>`) and the number of running tasks (`n<worker>`) of each. `sizes`: the characters of the tasks of each owner.
 */
export const keyNames = [
  "state",
  "meta",
  "records",
  "requests",
  "list",
  "runs",
  "ends",
  "changes",
  "workers",
  "sizes",
] as const;

/**
 * What all scripts begin with. The first argument of each is the channel of changes. Each first deletes expired tasks, and returns
 * `finish()` as its first value: the published change, or an empty text.
 *
 * Stamps are times in microseconds since 1970, unique, and never go back: the clock is the time of Redis, or that of the last write.
 * The first commands only read, and fail when a key belongs to another application, before anything was written.
 */
export const library = `
local state, meta, records, requests, list, runs, ends, changes, workers, sizes = unpack(KEYS)
local tasks = redis.call('HLEN', meta)
local known = redis.call('HMGET', state, 'form', 'clock', 'last', 'size', 'keep')
local isWhole = redis.call('HLEN', records) == tasks and redis.call('ZCARD', list) == tasks
  and redis.call('ZCARD', changes) == tasks and redis.call('HLEN', requests) <= tasks
  and redis.call('ZCARD', runs) <= tasks and redis.call('ZCARD', ends) <= tasks
  and redis.call('HLEN', workers) >= 0 and redis.call('HLEN', sizes) <= tasks
local isNew = tasks == 0 and redis.call('EXISTS', state) == 0
if not isWhole or not (known[1] == '1' or isNew) then
  return redis.error_reply('UNREADABLE the keys of the tasks were evicted, deleted, or written by another program')
end
local saved, last = tonumber(known[2] or 0), tonumber(known[3] or 0)
local size, keep = tonumber(known[4] or 0), tonumber(known[5] or 0)
local time = redis.call('TIME')
local clock = math.max(time[1] * 1000000 + time[2], saved)
local now = math.floor(clock / 1000)
local changed, stamp = {}, nil

local function text(number) return string.format('%.0f', number) end
local function digits(number) return string.format('%016.0f', number) end

local function nextStamp()
  stamp = stamp or math.max(clock, saved + 1)
  return stamp
end

local function mark(name)
  changed[#changed + 1] = name
  return nextStamp()
end

local function resize(owner, growth)
  size = size + growth
  if redis.call('HINCRBY', sizes, owner, text(growth)) == 0 then redis.call('HDEL', sizes, owner) end
end

local function addRun(name, task)
  redis.call('ZADD', runs, 0, task.worker .. digits(task.stamp) .. name)
  redis.call('HINCRBY', workers, 'n' .. task.worker, 1)
end

local function removeRun(name, task)
  redis.call('ZREM', runs, task.worker .. digits(task.stamp) .. name)
  if redis.call('HINCRBY', workers, 'n' .. task.worker, -1) == 0 then redis.call('HDEL', workers, 'n' .. task.worker) end
end

local function put(name, task)
  redis.call('HSET', meta, name, cmsgpack.pack(task))
  redis.call('ZADD', changes, text(mark(name)), name)
  if task.expires then redis.call('ZADD', ends, text(task.expires), name) else redis.call('ZREM', ends, name) end
end

local function drop(name, task)
  redis.call('HDEL', meta, name)
  redis.call('HDEL', records, name)
  redis.call('HDEL', requests, name)
  redis.call('ZREM', list, task.owner .. task.revision .. digits(task.stamp) .. name)
  redis.call('ZREM', ends, name)
  redis.call('ZREM', changes, name)
  if not task.ended then removeRun(name, task) end
  resize(task.owner, -task.size)
  tasks = tasks - 1
  mark(name)
end

local function sweep()
  local expired = redis.call('ZRANGEBYSCORE', ends, '-inf', text(now), 'LIMIT', 0, 500)
  for _, name in ipairs(expired) do drop(name, cmsgpack.unpack(redis.call('HGET', meta, name))) end
  return #expired
end

local function load(name)
  local packed = redis.call('HGET', meta, name)
  local task = packed and cmsgpack.unpack(packed)
  if task and not (task.expires and task.expires <= now) then return task end
end

local function find(name, owner)
  local task = load(name)
  if task and task.owner == owner then return task end
end

-- Limits: the most tasks, tasks of the owner, characters, and characters of the owner. Returns the name of one that would be exceeded.
local function exceeded(owner, added, growth, limits)
  repeat
    local isOwned = owner ~= '""'
    local owned = redis.call('ZLEXCOUNT', list, '[' .. owner .. '"', '(' .. owner .. '#')
    local ownedSize = tonumber(redis.call('HGET', sizes, owner) or 0)
    local name
    if isOwned and owned + added > limits[2] then name = 'maxTasksPerOwner'
    elseif tasks + added > limits[1] then name = 'maxTasks'
    elseif isOwned and ownedSize + growth > limits[4] then name = 'maxSizePerOwner'
    elseif size + growth > limits[3] then name = 'maxSize' end
    if not name or sweep() == 0 then return name end
  until false
end

-- A record without the members that scripts change.
local function recordOf(name, task)
  return { redis.call('HGET', records, name), text(task.version), task.worker, text(task.attempts), text(task.stamp) }
end

local function finish()
  if not stamp then return '' end
  local change = ''
  if #changed > 0 then
    change = '[' .. text(last) .. ',' .. text(stamp) .. ',[' .. table.concat(changed, ',') .. ']]'
    last = stamp
  end
  redis.call('HSET', state, 'form', '1', 'clock', text(stamp), 'last', text(last), 'size', text(size), 'keep', text(keep))
  local isEndless = redis.call('HLEN', meta) > redis.call('ZCARD', ends)
  local latest = tonumber(redis.call('ZRANGE', ends, -1, -1, 'WITHSCORES')[2] or 0)
  local minutes = math.floor(math.max(latest, keep, now) / 60000) + 2
  for _, key in ipairs(KEYS) do
    local expiry = redis.call('PEXPIRETIME', key)
    if isEndless then
      if expiry >= 0 then redis.call('PERSIST', key) end
    elseif expiry ~= -2 and expiry ~= minutes * 60000 then
      redis.call('PEXPIREAT', key, text(minutes * 60000))
    end
  end
  if change ~= '' then redis.call('PUBLISH', ARGV[1], change) end
  return change
end

sweep()
`;
