package lottery.view.wheel;

import java.util.List;
import org.springframework.data.repository.Repository;

interface AwardRows extends Repository<AwardRow, AwardKey> {

    /** Awards with the same place are in the order of their ids, so that the wheel looks alike each time. */
    List<AwardRow> findByKeyStrategyIdOrderBySortAscKeyAwardIdAsc(long strategyId);

    boolean existsByKeyStrategyId(long strategyId);
}
