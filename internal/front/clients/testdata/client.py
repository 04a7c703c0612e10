# The end-to-end script of clients_test.go with redis-py: python client.py PORT. It prints what it got.
import sys
import redis

port = int(sys.argv[1])
connect = lambda: redis.Redis(port=port, decode_responses=True, protocol=3)
a, b = connect(), connect()

print("ping", a.ping())
a.set("k", "v", ex=1000)
print("get", a.get("k"), a.ttl("k"))
with a.pipeline(transaction=False) as p:
    for _ in range(100):
        p.incr("n")
    print("pipeline", p.execute()[-1])
a.hset("h", mapping={"f1": "1", "f2": "2"})
print("hash", " ".join(f"{k}={v}" for k, v in sorted(a.hgetall("h").items())))
a.rpush("l", "a", "b", "c")
print("list", " ".join(a.lrange("l", 0, -1)))
a.zadd("z", {"x": 1, "y": 2.5})
print("zset", " ".join(f"{m}={s:g}" for m, s in a.zrange("z", 0, -1, withscores=True)))
with a.pipeline() as p:
    p.watch("n")
    b.incr("n")
    p.multi()
    p.set("n", "0")
    try:
        p.execute()
        print("watch missed")
    except redis.WatchError:
        print("watch conflict", a.get("n"))
with a.pipeline() as p:
    p.incr("n")
    p.get("n")
    print("multi", *p.execute())
import threading
got = []
t = threading.Thread(target=lambda: got.extend(b.blpop(["q"], timeout=20)))
t.start()
while not any(c["cmd"] == "blpop" and "b" in c["flags"] for c in a.client_list()):
    pass
a.rpush("q", "job")
t.join()
print("blpop", *got)
s = b.pubsub()
s.subscribe("c")
while s.get_message(timeout=20)["type"] != "subscribe":
    pass
a.publish("c", "hello")
m = s.get_message(timeout=20)
print("message", m["channel"], m["data"])
with a.pipeline(transaction=False) as p:
    for i in range(1000):
        p.set(f"s:{i}", i)
    p.execute()
print("scan", len(set(a.scan_iter(match="s:*"))))
print("encoding", a.object("encoding", "h"), a.object("encoding", "n"))
try:
    a.incr("l")
except redis.ResponseError as e:
    print("error", str(e).removeprefix("WRONGTYPE "))
a.set("big", "x" * (1 << 20))
print("big", len(a.get("big")), a.strlen("big"))
print("unicode", a.echo("héllo"))
a.client_setname("me")
print("client", a.client_getname(), a.client_info()["id"] == a.client_id())
s = b.pubsub()
s.psubscribe("news.*")
while s.get_message(timeout=20)["type"] != "psubscribe":
    pass
a.publish("news.a", "hi")
m = s.get_message(timeout=20)
print("pattern", m["pattern"], m["channel"], m["data"])
a.config_set("notify-keyspace-events", "KEA")
s.psubscribe("__keyspace@0__:ev*")
while s.get_message(timeout=20)["type"] != "psubscribe":
    pass
a.set("evented", 1)
m = s.get_message(timeout=20)
print("event", m["channel"], m["data"])
c = connect()
got = []
def wait():
    try:
        c.blpop(["nothing"], timeout=20)
    except redis.ResponseError as e:
        got.append(str(e).startswith("UNBLOCKED"))
t = threading.Thread(target=wait)
t.start()
while not (waits := [x["id"] for x in a.client_list() if x["cmd"] == "blpop" and "b" in x["flags"]]):
    pass
a.client_unblock(waits[0], error=True)
t.join()
print("unblocked", *got)
# its own cache is for one vendor's servers: invalidations come to a subscriber that the caching connection redirects to
told = redis.Redis(port=port, decode_responses=True, protocol=2, client_name="told").pubsub()
told.subscribe("__redis__:invalidate")
while told.get_message(timeout=20)["type"] != "subscribe":
    pass
caching = redis.Redis(port=port, decode_responses=True, single_connection_client=True)
caching.client_tracking_on(clientid=int(next(x["id"] for x in a.client_list() if x["name"] == "told")))
a.set("c", 1)
first = caching.get("c")
a.set("c", 2)
print("cached", first, caching.get("c") if told.get_message(timeout=20)["data"] == ["c"] else "nothing")
with a.pipeline(transaction=False) as p:
    for i in range(5000):
        p.set(f"m:{i}", "x" * 200)
    p.execute()
values = a.mget([f"m:{i}" for i in range(5000)])
print("many", len(values), sum(map(len, values)))
try:
    a.eval("return 1", 0)
except redis.ResponseError as e:
    print("refused", "not simulated" in str(e))
print("keyloupe", str(a.execute_command("KEYLOUPE", "COMPARE", "n")).split()[0])
