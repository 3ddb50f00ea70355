package lottery.view.wins;

import lottery.api.UserId;
import lottery.api.activity.ActivityId;
import lottery.api.award.AwardRecordId;
import lottery.api.award.Win;
import lottery.api.raffle.Prize;
import lottery.view.wins.WinProjection.WinColumns;
import lottery.view.wins.WinProjection.WinRowKey;

/** The row of a win; {@link WinProjection} writes it. */
record WinRow(WinRowKey key, WinColumns columns) {

    WinCursor cursor() {
        return new WinCursor(columns.wonAt(), AwardRecordId.of(key.awardRecordId()));
    }

    Win toWin() {
        String insteadOf = columns.insteadOf();
        return new Win(
                AwardRecordId.of(key.awardRecordId()),
                new ActivityId(columns.activityId()),
                new UserId(columns.userId()),
                new Prize(columns.awardId(), columns.title(), columns.type(), columns.sort(), columns.amount()),
                columns.state(),
                columns.wonAt(),
                columns.grantAt(),
                insteadOf == null ? null : AwardRecordId.of(insteadOf),
                null,
                WinStepsCodec.in(columns.steps()));
    }
}
