package lottery.view.wheel;

import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface StrategyAwardRowRepository extends Repository<StrategyAwardRow, StrategyAwardKey> {

    /** Sorts awards with the same place by their ids, so that the wheel always has the same order. */
    @Query("""
            select award from StrategyAwardRow award
            where award.key.strategyId = :strategyId and award.key.version = (
                select max(newest.key.version) from StrategyAwardRow newest where newest.key.strategyId = :strategyId)
            order by award.sort, award.key.awardId""")
    List<StrategyAwardRow> newest(long strategyId);

    @Query("""
            select award from StrategyAwardRow award
            where award.key.strategyId = :strategyId and award.key.version = :version
            order by award.sort, award.key.awardId""")
    List<StrategyAwardRow> of(long strategyId, int version);
}
