package lottery.journey;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import lottery.journey.letter.Letter;
import lottery.journey.letter.Post;

/** The real post, which loses a letter when a test wants it to. */
class UnsteadyPost implements Post {

    private final Post post;
    private final ConcurrentMap<String, Integer> lossesLeft = new ConcurrentHashMap<>();

    UnsteadyPost(Post post) {
        this.post = post;
    }

    void lose(String topic, String subject, int times) {
        lossesLeft.put(topic + subject, times);
    }

    boolean hasLostAll(String topic, String subject) {
        return lossesLeft.getOrDefault(topic + subject, 0) == 0;
    }

    @Override
    public CompletableFuture<?> send(Letter letter) {
        String letters = letter.topic() + letter.subject();
        int left = lossesLeft.getOrDefault(letters, 0);
        if (left > 0) {
            lossesLeft.put(letters, left - 1);
            return CompletableFuture.failedFuture(new IllegalStateException("the broker is away"));
        }
        return post.send(letter);
    }
}
