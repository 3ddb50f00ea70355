package lottery.bench.invariant.award;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import lottery.bench.invariant.AccountTally;
import lottery.bench.invariant.AwardTransition;
import lottery.bench.invariant.CheckMoment;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.FindingTally;
import lottery.bench.invariant.Invariant;
import lottery.bench.invariant.InvariantVerdict;
import lottery.bench.invariant.ParsedEventPayload;
import lottery.bench.invariant.SameCommitFinder;
import lottery.bench.invariant.SameCommitFinder.EventPlace;

/**
 * I7: each draw has a spent chance that was not returned before. Each win has such a draw, or compensates another
 * award. Each grant has a win.
 */
public final class WinInvariant implements Invariant {

    private static final String NO_AWARD = "no award";

    /**
     * A draw or a win.
     *
     * @param account the account that drew or won
     * @param award the award that was drawn or won, as text
     * @param insteadOf the award that it compensates; empty: none
     */
    private record DrawOrWinFact(EventPlace place, String account, String award, String insteadOf) {

        long position() {
            return place.position();
        }
    }

    /** The fact that an award was compensated with another one. */
    private record CompensationFact(EventPlace place, String substitute) {}

    private final FindingTally tally = new FindingTally();
    private final SameCommitFinder stretches = new SameCommitFinder();

    /**
     * The accounts that have spent a chance, by the key of their order. An order and its award record have the same
     * key.
     */
    private final Map<String, String> spenders = new HashMap<>();

    /** The positions of events that return a chance before its order is drawn, by the same key. */
    private final Map<String, Long> returned = new HashMap<>();

    private final Map<String, DrawOrWinFact> draws = new LinkedHashMap<>();
    private final Map<String, DrawOrWinFact> wins = new LinkedHashMap<>();

    /** The accounts that have made an entry, by the same key. */
    private final Map<String, String> entries = new HashMap<>();

    /** The awards that entries have won in pools, as text, by the same key. */
    private final Map<String, String> pooled = new HashMap<>();

    /** Remedies, by the award that was compensated with another one. */
    private final Map<String, CompensationFact> remedies = new HashMap<>();

    @Override
    public void accept(EventTableRow event) {
        EventPlace place = stretches.of(event);
        ParsedEventPayload payload = event.payload();
        switch (event.name()) {
            case "account.chance-spent" ->
                spenders.put(EventTableRow.key(payload.text("orderId")), AccountTally.key(payload));
            case "account.chance-returned" -> {
                String key = EventTableRow.key(payload.text("orderId"));
                if (!draws.containsKey(key)) {
                    returned.put(key, event.position());
                }
            }
            case "raffle.drawn" -> {
                tally.checked();
                draws.put(EventTableRow.key(payload.text("orderId")), fact(event, place));
            }
            case "raffle.entered" -> entries.put(EventTableRow.key(payload.text("orderId")), AccountTally.key(payload));
            case "pool.page-drawn" -> payload.each("wins").forEach(this::pooled);
            case "pool.reserve-moved-up" -> pooled(payload.in("win"));
            case "award.won" -> won(event, place);
            default -> {
                if (AwardTransition.of(event) != null) {
                    goesOn(event, place);
                }
            }
        }
    }

    private void pooled(ParsedEventPayload win) {
        pooled.put(EventTableRow.key(win.text("orderId")), "award " + win.number("awardId"));
    }

    private void won(EventTableRow event, EventPlace place) {
        tally.checked();
        String award = event.payload().text("awardRecordId");
        DrawOrWinFact before = wins.putIfAbsent(EventTableRow.key(award), fact(event, place));
        if (before != null) {
            tally.violated("%s is won at event %d and again at event %d"
                    .formatted(award, before.position(), event.position()));
        }
    }

    private void goesOn(EventTableRow event, EventPlace place) {
        tally.checked();
        String award = event.payload().text("awardRecordId");
        if (!wins.containsKey(EventTableRow.key(award))) {
            tally.violated(
                    "%s has %s at event %d and was not won before".formatted(award, event.name(), event.position()));
        }
        if (event.payload().has("substitute")) {
            remedies.putIfAbsent(
                    award, new CompensationFact(place, event.payload().text("substitute")));
        }
    }

    private static DrawOrWinFact fact(EventTableRow event, EventPlace place) {
        ParsedEventPayload payload = event.payload();
        String award = payload.has("award") ? "award " + payload.in("award").number("awardId") : NO_AWARD;
        String insteadOf = payload.has("insteadOf") ? payload.text("insteadOf") : "";
        return new DrawOrWinFact(place, AccountTally.key(payload), award, insteadOf);
    }

    @Override
    public InvariantVerdict verdict(CheckMoment moment) {
        draws.forEach(this::requireChance);
        wins.forEach((key, win) -> {
            if (win.insteadOf().isEmpty()) {
                requireDraw(key, win);
            } else {
                requireRemedy("award:" + key, win);
            }
        });
        return tally.verdict("I7", "no win without a spent chance, no grant without a win");
    }

    private void requireChance(String key, DrawOrWinFact draw) {
        String spender = spenders.get(key);
        if (spender == null) {
            tally.violated(
                    "order:%s is drawn at event %d and no chance was spent for it".formatted(key, draw.position()));
        } else if (!spender.equals(draw.account())) {
            tally.violated("order:%s is drawn for %s at event %d and the chance is one of %s"
                    .formatted(key, draw.account(), draw.position(), spender));
        } else if (returned.containsKey(key)) {
            tally.violated("order:%s is drawn at event %d and its chance had been given back at event %d"
                    .formatted(key, draw.position(), returned.get(key)));
        }
    }

    private void requireDraw(String key, DrawOrWinFact win) {
        DrawOrWinFact draw = draws.get(key);
        if (draw == null && win.award().equals(pooled.get(key)) && win.account().equals(entries.get(key))) {
            requireChance(key, win);
        } else if (draw == null) {
            tally.violated("award:%s is won at event %d and nothing was drawn for it".formatted(key, win.position()));
        } else if (!draw.award().equals(win.award()) || !draw.account().equals(win.account())) {
            tally.violated("award:%s is won as %s by %s at event %d and its draw gave %s to %s"
                    .formatted(key, win.award(), win.account(), win.position(), draw.award(), draw.account()));
        }
    }

    /**
     * Requires that the compensated award belongs to the same account, and that its remedy names this win, in the same
     * commit.
     */
    private void requireRemedy(String award, DrawOrWinFact win) {
        String other = win.insteadOf();
        DrawOrWinFact lost = wins.get(EventTableRow.key(other));
        CompensationFact remedy = remedies.get(other);
        if (remedy == null || !remedy.substitute().equals(award)) {
            tally.violated("%s is won at event %d instead of %s, which was not compensated by it"
                    .formatted(award, win.position(), other));
        } else if (!remedy.place().isInSameCommitAs(win.place())) {
            tally.violated("%s is won at event %d and makes good for %s at event %d, in another commit"
                    .formatted(award, win.position(), other, remedy.place().position()));
        } else if (lost != null && !lost.account().equals(win.account())) {
            tally.violated("%s is won by %s at event %d instead of %s of %s"
                    .formatted(award, win.account(), win.position(), other, lost.account()));
        }
    }
}
