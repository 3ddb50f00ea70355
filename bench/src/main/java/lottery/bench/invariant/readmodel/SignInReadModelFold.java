package lottery.bench.invariant.readmodel;

import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import lottery.bench.invariant.CheckedUserShare;
import lottery.bench.invariant.EventTableRow;
import lottery.bench.invariant.ParsedEventPayload;

/** Folds the bitmaps of the days on which users have signed in, one for each month. */
public final class SignInReadModelFold implements ReadModelFold {

    private final CheckedUserShare share;
    private final Map<String, Integer> bitmaps = new HashMap<>();

    public SignInReadModelFold(CheckedUserShare share) {
        this.share = share;
    }

    @Override
    public String table() {
        return "view_sign_in";
    }

    @Override
    public String sql() {
        return "SELECT month || '/' || user_id, version, days FROM view_sign_in";
    }

    /** Returns whether the user is in the share. In the key, the user follows the month. */
    @Override
    public boolean has(String key) {
        return share.has(key.substring(key.indexOf('/') + 1));
    }

    @Override
    public List<FoldedRow> after(EventTableRow event) {
        if (!event.name().equals("calendar.signed-in")) {
            return List.of();
        }
        ParsedEventPayload payload = event.payload();
        LocalDate day = payload.day("day");
        String key = day.withDayOfMonth(1) + "/" + payload.text("userId");
        int bitmap = bitmaps.merge(key, 1 << (day.getDayOfMonth() - 1), (before, bit) -> before | bit);
        return List.of(new FoldedRow(key, event.sequence(), Map.of("days", Integer.toString(bitmap))));
    }
}
