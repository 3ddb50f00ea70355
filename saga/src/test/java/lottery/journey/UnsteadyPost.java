package lottery.journey;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Post;
import org.apache.kafka.common.errors.TimeoutException;

/** The real post, which loses a letter when a test wants it to. */
class UnsteadyPost implements Post {

    private final Post post;
    private final ConcurrentMap<String, Integer> lossesLeft = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, Integer> refusedSinceAway = new ConcurrentHashMap<>();

    UnsteadyPost(Post post) {
        this.post = post;
    }

    void lose(String topic, String subject, int times) {
        lossesLeft.put(topic + subject, times);
    }

    boolean hasLostAll(String topic, String subject) {
        return lossesLeft.getOrDefault(topic + subject, 0) == 0;
    }

    /** From now on the broker does not answer about this topic. */
    void leave(String topic) {
        refusedSinceAway.put(topic, 0);
    }

    int refusedSinceAway(String topic) {
        return refusedSinceAway.getOrDefault(topic, 0);
    }

    void comeBack(String topic) {
        refusedSinceAway.remove(topic);
    }

    @Override
    public CompletableFuture<?> send(Letter letter) {
        if (refusedSinceAway.computeIfPresent(letter.topic(), (topic, refused) -> refused + 1) != null) {
            return CompletableFuture.failedFuture(new TimeoutException("the broker does not answer"));
        }
        String letters = letter.topic() + letter.subject();
        int left = lossesLeft.getOrDefault(letters, 0);
        if (left > 0) {
            lossesLeft.put(letters, left - 1);
            return CompletableFuture.failedFuture(new IllegalStateException("the broker is away"));
        }
        return post.send(letter);
    }

    @Override
    public void depart() {
        post.depart();
    }
}
