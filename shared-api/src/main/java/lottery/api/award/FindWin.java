package lottery.api.award;

import java.util.Optional;
import lottery.api.Query;

/** Where is this won award? */
public record FindWin(AwardRecordId awardRecordId) implements Query<Optional<Win>> {}
