package lottery.view.wins;

import java.util.Collection;
import java.util.List;
import org.springframework.data.repository.Repository;

interface WinStepRows extends Repository<WinStepRow, WinStepKey> {

    List<WinStepRow> findByKeyAwardRecordIdInOrderByKeySequence(Collection<String> awardRecordIds);
}
