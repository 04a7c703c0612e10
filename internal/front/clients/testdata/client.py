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
print("keyloupe", str(a.execute_command("KEYLOUPE", "COMPARE", "n")).split()[0])
