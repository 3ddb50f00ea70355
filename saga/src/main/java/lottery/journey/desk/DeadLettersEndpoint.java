package lottery.journey.desk;

import jakarta.validation.Valid;
import java.util.List;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.journey.desk.DeadLetterTable.Shown;
import lottery.journey.desk.DeadLetterTable.State;
import lottery.journey.desk.Decisions.Action;
import lottery.journey.desk.Limits.Page;
import lottery.journey.letter.Topics;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Letters that nobody could read, over REST. */
@RestController
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class DeadLettersEndpoint {

    private static final String ALL = "/api/v1/ops/dead-letters";
    private static final List<String> TOPICS = List.of(Topics.INVOICE, Topics.FULFILMENT);

    private final DeadLetterTable letters;
    private final SecondPost post;
    private final Decisions decisions;
    private final TransactionTemplate transaction;

    DeadLettersEndpoint(
            DeadLetterTable letters, SecondPost post, Decisions decisions, PlatformTransactionManager transactions) {
        this.letters = letters;
        this.post = post;
        this.decisions = decisions;
        this.transaction = new TransactionTemplate(transactions);
    }

    record DeadLettersPage(
            List<Shown> deadLetters, @Nullable String next) {}

    /** Those that came last are first. */
    @GetMapping(ALL)
    DeadLettersPage list(
            @RequestParam(required = false) @Nullable String topic,
            @RequestParam(defaultValue = "OPEN") State state,
            @RequestParam(required = false) @Nullable String cursor,
            @RequestParam(defaultValue = "20") int limit) {
        if (topic != null && !TOPICS.contains(topic)) {
            throw new RefusedException(Refusal.INVALID, "topic");
        }
        Cursor from = Cursor.read(cursor, Cursor.of(Long.MAX_VALUE));
        Page<Shown> page = Page.of(
                letters.before(
                        from.number(0), state, topic == null ? TOPICS : List.of(topic), Limits.checked(limit) + 1),
                limit,
                letter -> Cursor.of(letter.id()));
        return new DeadLettersPage(page.items(), page.next());
    }

    /**
     * Sends it again, once: it is open until the broker has it, and whoever asks meanwhile waits for that. A crash in
     * between leaves it open, and then it may be sent twice, as any letter may.
     */
    @PostMapping(ALL + "/{id}/retry")
    Shown retry(@PathVariable long id) {
        return decide(id, () -> {
            if (letters.decide(id, State.RETRIED, null)) {
                post.send(letters.original(id));
                decisions.keep(Action.RETRY, subject(id), null);
            }
        });
    }

    /** The first decision counts: one that was sent again stays so. */
    @PostMapping(ALL + "/{id}/drop")
    Shown drop(@PathVariable long id, @Valid @RequestBody Reason why) {
        return decide(id, () -> {
            if (letters.decide(id, State.DROPPED, why.reason())) {
                decisions.keep(Action.DROP, subject(id), why.reason());
            }
        });
    }

    private Shown decide(long id, Runnable decision) {
        return transaction
                .execute(status -> {
                    decision.run();
                    return letters.find(id);
                })
                .orElseThrow(() -> new RefusedException(Refusal.NOT_FOUND, subject(id)));
    }

    private static String subject(long id) {
        return "dead-letter:" + id;
    }
}
