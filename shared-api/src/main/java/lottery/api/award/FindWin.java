package lottery.api.award;

import java.util.Optional;
import lottery.api.Query;

/** Asks for one won award. */
public record FindWin(AwardRecordId awardRecordId) implements Query<Optional<Win>> {}
