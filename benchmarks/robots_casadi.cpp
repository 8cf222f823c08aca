// Pinocchio's algorithms written out by CasADi: robots_casadi model.txt aba|rnea|crba|aba_derivatives folder
//
// Writes generated.c with one function F(q, v, third) of the wheel's model into the folder.
#include <pinocchio/autodiff/casadi.hpp>
#include <pinocchio/multibody.hpp>
#include <pinocchio/serialization.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/algorithm/rnea.hpp>
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <cstdio>
#include <string>

typedef casadi::SX SX;
typedef pinocchio::ModelTpl<SX> Model;
typedef pinocchio::DataTpl<SX> Data;
typedef Model::ConfigVectorType Vector;

template <class M> static SX written(const M &m)
{
  SX out = SX::zeros(m.rows(), m.cols());
  for (int i = 0; i < m.rows(); ++i) for (int j = 0; j < m.cols(); ++j) out(i, j) = m(i, j);
  return out;
}

int main(int, char **argv)
{
  pinocchio::Model numbers; numbers.loadFromText(argv[1]);
  Model model = numbers.cast<SX>(); Data data(model);
  const std::string what = argv[2];
  SX q = SX::sym("q", model.nq), v = SX::sym("v", model.nv), third = SX::sym("p", model.nv);
  Vector Q(model.nq), V(model.nv), T(model.nv);
  for (int i = 0; i < model.nq; ++i) Q[i] = q(i);
  for (int i = 0; i < model.nv; ++i) { V[i] = v(i); T[i] = third(i); }
  SX out;
  if (what == "aba") out = written(pinocchio::aba(model, data, Q, V, T, pinocchio::Convention::LOCAL));
  if (what == "rnea") out = written(pinocchio::rnea(model, data, Q, V, T));
  if (what == "crba") out = written(pinocchio::crba(model, data, Q, pinocchio::Convention::LOCAL));
  if (what == "aba_derivatives") {
    pinocchio::computeABADerivatives(model, data, Q, V, T);
    out = SX::horzcat({written(data.ddq_dq), written(data.ddq_dv), written(data.Minv)});
  }
  casadi::Function F("F", {q, v, third}, {SX::densify(out)});
  casadi::CodeGenerator generator("generated.c");
  generator.add(F);
  generator.generate(std::string(argv[3]) + "/");
  std::printf("operations %lld\n", (long long)F.n_instructions());
  return 0;
}
