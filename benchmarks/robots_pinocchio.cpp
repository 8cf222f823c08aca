// Seconds per call of Pinocchio's C++ functions, from the kernels in its wheel: robots_pinocchio model.txt [constraints.txt]
//
// Best of many blocks of CPU time, over 64 states; one line "name seconds" for each function. The second file holds
// closed loops, one to a line: joint names and placements (three numbers of position each) of both ends.
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/compute-all-terms.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/constrained-dynamics-derivatives.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/joint-configuration.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/rnea-derivatives.hpp>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
using namespace pinocchio;

static double now() { timespec t; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }

template <class F> void measure(const char *name, F f, double span)
{
  int calls = 1;
  for (int i = 0; i < 16; ++i) f(i);
  for (double t = 0; t < 2e-4; calls *= 2) { t = now(); for (int i = 0; i < calls; ++i) f(i & 63); t = now() - t; }
  double best = 1e9, end = now() + span;
  while (now() < end) { double t = now(); for (int i = 0; i < calls; ++i) f(i & 63); best = std::min(best, (now() - t) / calls); }
  std::printf("%s %.6e\n", name, best);
}

static void loops(const Model &model, const std::vector<Eigen::VectorXd> &q, const std::vector<Eigen::VectorXd> &v,
                  const std::vector<Eigen::VectorXd> &tau, const char *file, double span)
{
  typedef PINOCCHIO_ALIGNED_STD_VECTOR(RigidConstraintModel) Models;
  typedef PINOCCHIO_ALIGNED_STD_VECTOR(RigidConstraintData) Datas;
  Models models; Datas datas; Data data(model);
  std::ifstream in(file); std::string line;
  while (std::getline(in, line)) {
    std::istringstream s(line); std::string a, b; SE3 A = SE3::Identity(), B = SE3::Identity(); int rows;
    s >> rows >> a >> A.translation()[0] >> A.translation()[1] >> A.translation()[2];
    s >> b >> B.translation()[0] >> B.translation()[1] >> B.translation()[2];
    auto joint = [&](const std::string &n) { return n == "universe" ? JointIndex(0) : model.getJointId(n); };
    models.emplace_back(rows == 3 ? CONTACT_3D : CONTACT_6D, model, joint(a), A, joint(b), B, LOCAL);
  }
  for (auto &m : models) datas.emplace_back(m);
  initConstraintDynamics(model, data, models, datas);
  ProximalSettings once(1e-12, 1e-12, 1e-8, 1), tight(1e-12, 1e-12, 1e-8, 20);
  measure("loops", [&](int i) { constraintDynamics(model, data, q[i], v[i], tau[i], models, datas, once); }, span);
  measure("loops_tight", [&](int i) { constraintDynamics(model, data, q[i], v[i], tau[i], models, datas, tight); }, span);
}

int main(int argc, char **argv)
{
  Model model; model.loadFromText(argv[1]);
  Data d(model), e(model);
  Model bounded = model; bounded.lowerPositionLimit.setConstant(-1); bounded.upperPositionLimit.setConstant(1);
  std::vector<Eigen::VectorXd> q(64), v(64), tau(64);
  for (int i = 0; i < 64; ++i) { q[i] = randomConfiguration(bounded); v[i].setRandom(model.nv); tau[i].setRandom(model.nv); }
  const double span = model.nv > 60 ? 0.1 : 0.3;
  measure("aba", [&](int i) { aba(model, d, q[i], v[i], tau[i], Convention::WORLD); }, span);
  measure("aba_local", [&](int i) { aba(model, d, q[i], v[i], tau[i], Convention::LOCAL); }, span);
  if (argc > 2) loops(model, q, v, tau, argv[2], span);
  if (model.nv > 60 || argc > 2) return 0;
  measure("rnea", [&](int i) { rnea(model, d, q[i], v[i], tau[i]); }, span);
  measure("crba", [&](int i) { crba(model, d, q[i], Convention::WORLD); }, span);
  measure("crba_local", [&](int i) { crba(model, d, q[i], Convention::LOCAL); }, span);
  measure("all_terms", [&](int i) { computeAllTerms(model, d, q[i], v[i]); }, span);
  measure("aba_derivatives", [&](int i) { computeABADerivatives(model, e, q[i], v[i], tau[i]); }, span);
  measure("rnea_derivatives", [&](int i) { computeRNEADerivatives(model, e, q[i], v[i], tau[i]); }, span);
  return 0;
}
