package lottery.app;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes many calls at once, by a limited number of callers. */
final class Crowd {

    interface NumberedCall<T> {
        T number(int number) throws Exception;
    }

    static {
        // The servers start here and not in a virtual thread: a thread that initializes a class, or waits for that,
        // keeps
        // its core. On two cores two of them would wait for ever for the answer of a socket.
        Servers.start();
    }

    private Crowd() {}

    /**
     * Returns the answers to all calls, in the order of their numbers. A caller makes its next call when it has an
     * answer.
     */
    static <T> List<T> calls(int times, int callers, NumberedCall<T> call) throws Exception {
        AtomicInteger next = new AtomicInteger();
        ConcurrentSkipListMap<Integer, T> answers = new ConcurrentSkipListMap<>();
        Callable<Void> caller = () -> {
            for (int i = next.getAndIncrement(); i < times; i = next.getAndIncrement()) {
                answers.put(i, call.number(i));
            }
            return null;
        };
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Void> ended : threads.invokeAll(Collections.nCopies(Math.min(callers, times), caller))) {
                ended.get();
            }
        }
        return new ArrayList<>(answers.values());
    }
}
