package lottery.bench.invariant.log;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;
import org.jspecify.annotations.Nullable;

/**
 * Checks that two persons have agreed on what needs two. An agreement has a proposal of another person that still
 * waits, and its action is in the same commit. Nothing that always needs two persons is done without an agreement.
 */
public final class ProposalInvariant implements Invariant {

    /** A proposal that waits. */
    private record WaitingProposal(
            ParsedEventPayload action, @Nullable String proposedBy, Instant expiresAt) {}

    /**
     * Something that was done.
     *
     * @param content what was done exactly, in the form of {@link #contentOf}
     */
    private record DoneAction(EventPlace place, String content) {}

    /** The longest time between the decision of an agreement and its event. */
    private static final Duration COMMIT_MAX = Duration.ofSeconds(10);

    private final CheckedUserShare share;
    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();
    private final Map<String, WaitingProposal> waiting = new HashMap<>();

    /** The action that was done last to each subject. */
    private final Map<String, DoneAction> done = new HashMap<>();

    /** The actions that always need two persons, and that nobody has agreed to yet, by their subjects. */
    private final Map<String, DoneAction> alone = new LinkedHashMap<>();

    public ProposalInvariant(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "proposal.made" ->
                waiting.put(
                        payload.text("proposalId"),
                        new WaitingProposal(
                                payload.in("action"), person(payload, "proposedBy"), payload.instant("expiresAt")));
            case "proposal.agreed" -> agreed(event, place);
            case "proposal.declined" -> {
                if (waiting.remove(payload.text("proposalId")) == null) {
                    tally.violated("%s is declined at event %d, and did not wait"
                            .formatted(payload.text("proposalId"), event.position()));
                }
            }
            case "credit.booked" -> done.put(event.stream(), new DoneAction(place, booking(payload)));
            case "award.compensated" -> done.put(event.stream(), new DoneAction(place, payload.text("by")));
            case "payment.refund-ordered", "payment.refunded" ->
                done.put(event.stream(), new DoneAction(place, refund(event.name(), payload.in("trade"))));
            case "award.voided" -> needsTwo(event, new DoneAction(place, ""));
            case "person.erased" -> needsTwo(event, new DoneAction(place, payload.text("keyId")));
            case "rule.defined" -> {
                boolean pays = payload.in("definition").text("state").equals("OPEN");
                if (pays && share.has(event.stream())) {
                    needsTwo(event, new DoneAction(place, rule(payload.number("version"), payload.in("definition"))));
                }
            }
            default -> {
                // Other events need no second person.
            }
        }
    }

    private void needsTwo(EventTableRow event, DoneAction action) {
        tally.checked();
        done.put(event.stream(), action);
        DoneAction before = alone.put(event.stream(), action);
        if (before != null) {
            requireNone(event.stream(), before);
        }
    }

    private void requireNone(String subject, DoneAction action) {
        tally.violated("%s is changed at event %d, and no two persons have agreed on that"
                .formatted(subject, action.place().position()));
    }

    private void agreed(EventTableRow event, EventPlace place) {
        tally.checked();
        String id = event.payload().text("proposalId");
        WaitingProposal proposal = waiting.remove(id);
        if (proposal == null) {
            tally.violated("%s is agreed to at event %d, and did not wait".formatted(id, event.position()));
            return;
        }
        String person = person(event.payload(), "agreedBy");
        if (person != null && (proposal.proposedBy() == null || person.equals(proposal.proposedBy()))) {
            tally.violated("%s is agreed to at event %d by the person who may have proposed it"
                    .formatted(id, event.position()));
        }
        if (event.at().minus(COMMIT_MAX).isAfter(proposal.expiresAt())) {
            tally.violated("%s is agreed to at event %d, after its end".formatted(id, event.position()));
        }
        String content = contentOf(proposal.action());
        String subject = proposal.action().text("subject");
        if (content != null && !isDone(subject, content, place, !event.payload().has("userId"))) {
            tally.violated("%s is agreed to at event %d, and %s was not changed so in the same commit"
                    .formatted(id, event.position(), subject));
        }
    }

    private boolean isDone(String subject, String content, EventPlace place, boolean isOfNoUser) {
        DoneAction action = done.get(subject);
        if (action == null || !action.content().equals(content)) {
            return false;
        }
        alone.remove(subject);
        // Events of no user come directly one after the other if they are of one commit.
        return action.place().isInSameCommitAs(place)
                || (isOfNoUser && action.place().position() + 1 == place.position());
    }

    /** Returns what has to be done; null if the desk does it after the commit. */
    private static @Nullable String contentOf(ParsedEventPayload action) {
        return switch (action.text("kind")) {
            case "BOOK_CREDITS" -> booking(action);
            case "ADOPT_RULE" -> rule(action.number("version"), action.in("rule"));
            case "ERASE_PERSON" -> action.text("keyId");
            case "REFUND_PAYMENT" -> "payment.refund-ordered " + action.text("keyId");
            case "NOTE_REFUND" -> "payment.refunded " + action.text("keyId");
            case "VOID_AWARD" -> "";
            case "SUBSTITUTE_AWARD" -> "SUBSTITUTE";
            case "RETURN_CHANCE" -> "RETURN_CHANCE";
            default -> null;
        };
    }

    private static String booking(ParsedEventPayload payload) {
        BigDecimal amount = payload.decimal("amount").stripTrailingZeros();
        return payload.text("businessNo") + " " + amount.toPlainString();
    }

    private static String refund(String what, ParsedEventPayload trade) {
        return "%s %s/%s".formatted(what, trade.text("provider"), trade.text("tradeNo"));
    }

    private static String rule(long version, ParsedEventPayload definition) {
        return version + " " + definition.canonical();
    }

    private static @Nullable String person(ParsedEventPayload payload, String field) {
        return payload.has(field) ? payload.text(field) : null;
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        alone.forEach(this::requireNone);
        return tally.verdict("proposals", "what needs two persons has two");
    }
}
