package lottery.view.wheel;

import java.util.List;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.repository.Repository;

/**
 * Reads the awards of a strategy. Awards with the same place are sorted by their ids, so that the wheel always has the
 * same order. The queries are in SQL, because HQL is parsed twice during a start.
 */
interface StrategyAwardRowRepository extends Repository<StrategyAwardRow, StrategyAwardKey> {

    @NativeQuery("""
            SELECT * FROM view_award WHERE strategy_id = :strategyId AND version = (
                SELECT max(version) FROM view_award WHERE strategy_id = :strategyId)
            ORDER BY sort, award_id""")
    List<StrategyAwardRow> newest(long strategyId);

    @NativeQuery("""
            SELECT * FROM view_award WHERE strategy_id = :strategyId AND version = :version
            ORDER BY sort, award_id""")
    List<StrategyAwardRow> of(long strategyId, int version);
}
